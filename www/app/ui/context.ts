/** The two objects that components act on, given once by main.tsx. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Editor } from "../editor/editor";
import type { Controller } from "../run/controller";

export interface Tools {
  readonly editor: Editor;
  readonly controller: Controller;
}

export const ToolsContext = createContext<Tools | null>(null);

export function useTools(): Tools {
  const tools = useContext(ToolsContext);
  if (!tools) throw new Error("the page is not composed yet");
  return tools;
}
