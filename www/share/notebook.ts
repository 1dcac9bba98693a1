/** A Python program and what it printed as a Jupyter notebook (nbformat 4.5). */

export interface NotebookParts {
  readonly source: string;
  /** What the last run printed; empty when there was none. */
  readonly output: string;
  /** What the last run raised. */
  readonly error: { readonly class: string; readonly message: string } | null;
  /** The version of the page that wrote it. */
  readonly engine: string;
  /** The address of the program, if it is short enough for one. */
  readonly link: string | null;
}

/** The notebook's JSON, ending in a line break. */
export function notebook({ source, output, error, engine, link }: NotebookParts): string {
  const outputs: object[] = [];
  if (output !== "")
    outputs.push({ output_type: "stream", name: "stdout", text: lines(`${output}\n`) });
  if (error) {
    const traceback = [`${error.class}: ${error.message}`];
    outputs.push({ output_type: "error", ename: error.class, evalue: error.message, traceback });
  }
  const origin = link === null ? "" : ` ([open it there](${link.replace(/[()<>\s]/g, encode)}))`;
  const words = `Written in Cotangent ${engine}${origin}. It needs \`pip install jax\` here.`;
  const cells = [
    { id: "about", cell_type: "markdown", metadata: {}, source: [words] },
    {
      id: "program",
      cell_type: "code",
      metadata: {},
      execution_count: outputs.length > 0 ? 1 : null,
      source: lines(source.replace(/\n$/, "")),
      outputs,
    },
  ];
  const metadata = {
    kernelspec: { display_name: "Python 3", language: "python", name: "python3" },
    language_info: { name: "python", file_extension: ".py", mimetype: "text/x-python" },
  };
  return `${JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`;
}

/** The lines of a text, each with its break, as notebooks keep them. */
function lines(text: string): string[] {
  return text.split(/(?<=\n)/);
}

const encode = (char: string) =>
  `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
