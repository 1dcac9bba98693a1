// How much WebAssembly memory each library holds: every memory made while a library has the floor is
// counted as its own. Installed before any library is loaded.

let owner = "";
const memories: { owner: string; memory: WebAssembly.Memory }[] = [];

function note(value: unknown): void {
  if (!(value instanceof WebAssembly.Memory)) return;
  if (memories.some(({ memory }) => memory === value)) return;
  memories.push({ owner, memory: value });
}

const noteExports = (instance: WebAssembly.Instance) => {
  for (const value of Object.values(instance.exports)) note(value);
};

/** Starts to watch the ways in which a page gets a memory: made by itself, or exported by an instance. */
export function watchMemories(): void {
  const { Memory, Instance, instantiate, instantiateStreaming } = WebAssembly;
  WebAssembly.Memory = new Proxy(Memory, {
    construct(target, [descriptor]: [WebAssembly.MemoryDescriptor]) {
      const memory = new target(descriptor);
      note(memory);
      return memory;
    },
  });
  WebAssembly.Instance = new Proxy(Instance, {
    construct(target, [module, imports]: [WebAssembly.Module, WebAssembly.Imports]) {
      const instance = new target(module, imports);
      noteExports(instance);
      return instance;
    },
  });
  const noted = <R extends WebAssembly.Instance | WebAssembly.WebAssemblyInstantiatedSource>(
    result: R,
  ): R => {
    noteExports(result instanceof Instance ? result : result.instance);
    return result;
  };
  type Start = (
    source: BufferSource | WebAssembly.Module,
    imports?: WebAssembly.Imports,
  ) => Promise<WebAssembly.Instance | WebAssembly.WebAssemblyInstantiatedSource>;
  const start = instantiate as Start;
  WebAssembly.instantiate = (async (source, imports) =>
    noted(await start(source, imports))) as Start as typeof WebAssembly.instantiate;
  WebAssembly.instantiateStreaming = async (source, imports) =>
    noted(await instantiateStreaming(source, imports));
}

/** Gives the floor to a library. */
export function setOwner(name: string): void {
  owner = name;
}

/** Bytes of WebAssembly memory that a library holds. */
export function heldBy(name: string): number {
  return memories
    .filter((entry) => entry.owner === name)
    .reduce((sum, { memory }) => sum + memory.buffer.byteLength, 0);
}
