/** Words of ours with `code` in them: the only markup there is. */
export function Prose({ text }: { readonly text: string }) {
  return (
    <>
      {text
        .split("`")
        .map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))}
    </>
  );
}
