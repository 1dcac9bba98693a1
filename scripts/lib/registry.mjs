// The registry of functions for readers: names and parameters as the running engine describes them, with types
// and documentation from the notes that the compiler left in a custom section of the wasm file.

/** The section that the notes are in. */
export const notesSection = "cotangent.notes";

/**
 * Everything there is to know of the registry: `{functions: [{name, python, module, signature, params: [{name,
 * default, type, keywordOnly}], variadic, returns, doc}], constants: [{name, type, value, doc}], methods: [{name,
 * function}]}`, functions by id.
 *
 * `described` is what `describe()` of the engine says, `wasm` the file with the notes still in it.
 */
export function registryOf(described, wasm) {
  const { types, notes } = readNotes(wasm);
  const typeOf = (name) => {
    const type = types.get(name);
    if (type === undefined) throw new Error(`src/api/types.rs has no type named ${name}`);
    return type;
  };
  const registry = { functions: [], constants: [], methods: [] };
  for (const line of described.split("\n")) {
    const [kind, name, ...fields] = line.split("\t");
    if (kind === "c") {
      const [type, value, doc] = fields;
      registry.constants.push({ name, type, value, doc });
    } else if (kind === "m") {
      registry.methods.push({ name, function: fields[0] });
    } else if (kind === "f") {
      const [python, dots, ...listed] = fields;
      const note = notes.get(name);
      if (!note) throw new Error(`the engine has no notes on ${name}`);
      const params = listed.map((text, i) => ({ ...parameter(text), type: typeOf(note.types[i]) }));
      const variadic = dots !== "";
      registry.functions.push({
        name,
        python,
        module: name.slice(0, Math.max(name.lastIndexOf("."), 0)),
        signature: signature(name, params, variadic),
        params,
        variadic,
        returns: typeOf(note.types[params.length]),
        doc: note.doc,
      });
    }
  }
  return registry;
}

/** One parameter as the engine describes it: `*` if it goes by name only, its name, `=` and its default. */
function parameter(text) {
  const [, star, name, given] = /^(\*?)(\w+)(?:=(.*))?$/s.exec(text);
  return { name, default: given ?? null, keywordOnly: star !== "" };
}

/** The signature as JavaScript has it: `np.sum(a, axis = null, { keepdims = false })`. */
function signature(name, params, variadic) {
  const shown = (p) => (p.default === null ? p.name : `${p.name} = ${p.default}`);
  const parts = params.filter((p) => !p.keywordOnly).map(shown);
  if (variadic && parts.length > 0) parts.push(`...${parts.pop()}`);
  const named = params.filter((p) => p.keywordOnly).map(shown);
  if (named.length > 0) parts.push(`{ ${named.join(", ")} }`);
  return `${name}(${parts.join(", ")})`;
}

/** The notes: types by their names in the tables, and for each function its types and documentation. */
function readNotes(wasm) {
  const [section] = WebAssembly.Module.customSections(new WebAssembly.Module(wasm), notesSection);
  if (!section) throw new Error(`the wasm file has no section ${notesSection}`);
  const types = new Map();
  const notes = new Map();
  for (const record of new TextDecoder().decode(section).split("\0")) {
    const end = record.indexOf("\n");
    const [kind, name, ...rest] = (end < 0 ? record : record.slice(0, end)).split("\t");
    if (kind === "t") types.set(name, rest[0]);
    // Every line of a doc comment begins with a blank.
    if (kind === "f")
      notes.set(name, { types: rest, doc: record.slice(end + 1).replace(/^ /gm, "") });
  }
  return { types, notes };
}
