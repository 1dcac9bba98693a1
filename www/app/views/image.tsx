/** An image on a canvas, with its size in words for those who do not see it. */
import { useEffect, useRef } from "preact/hooks";
import type { OutputItem } from "../../lib/report";

type ImageItem = OutputItem & { kind: "image" };

/** Small images are shown enlarged, whole multiples, so that single pixels can be seen. */
const WANTED_WIDTH = 320;

export function ImageFigure({ image }: { readonly image: ImageItem }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height, title } = image;
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    context?.putImageData(new ImageData(new Uint8ClampedArray(image.rgba), width, height), 0, 0);
  }, [image, width, height]);
  const scale = Math.max(1, Math.floor(WANTED_WIDTH / width));
  const label = `Image${title ? `: ${title}` : ""}, ${width} by ${height} pixels`;
  return (
    <figure class="figure">
      {title && <figcaption>{title}</figcaption>}
      <canvas
        ref={canvas}
        class="image"
        width={width}
        height={height}
        style={{ width: `${width * scale}px` }}
        role="img"
        aria-label={label}
      />
    </figure>
  );
}
