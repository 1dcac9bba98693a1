/** Small line icons, drawn here. They are decoration: the words beside them carry the meaning. */
const paths = {
  run: "M5 3.2v9.6a.6.6 0 0 0 .9.5l7.6-4.8a.6.6 0 0 0 0-1L5.9 2.7a.6.6 0 0 0-.9.5Z",
  stop: "M4 4h8v8H4Z",
  fail: "M8 1.8 15 14H1ZM8 6.2v3.6M8 11.6v.8",
  pass: "m3 8.4 3.2 3.2L13 4.8",
  skip: "M3 8h10",
  down: "m4 6 4 4 4-4",
  link: "M6.8 9.2 9.2 6.8M7 4.6l1.4-1.4a3 3 0 0 1 4.3 4.3l-1.5 1.4M9 11.4l-1.4 1.4a3 3 0 0 1-4.3-4.3L4.8 7",
  theme: "M8 2a6 6 0 1 0 0 12ZM8 2a6 6 0 0 1 0 12",
  keys: "M1.8 4.2h12.4v7.6H1.8ZM4 6.6h.6M7 6.6h.6M10 6.6h.6M4.6 9.4h6.8",
  close: "m4 4 8 8M12 4l-8 8",
  back: "M6.4 3.6 2.6 7.4l3.8 3.8M2.8 7.4h6.4a3.6 3.6 0 0 1 0 7.2H7",
  arrow: "M3 8h9.4M8.8 4.2 12.6 8l-3.8 3.8",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }) {
  const filled = name === "run" || name === "stop";
  return (
    <svg
      class={filled ? "icon icon-filled" : "icon"}
      viewBox="0 0 16 16"
      width="16"
      height="16"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  );
}
