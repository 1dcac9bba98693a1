/** The sources of the examples in Python, by path. */
export const files = import.meta.glob<string>("../../examples/*.py", {
  eager: true,
  query: "?raw",
  import: "default",
});
