import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { theme } from "./theme.ts";

export interface Brush {
  readonly context: CanvasRenderingContext2D;
  /** In CSS pixels. */
  readonly width: number;
  readonly height: number;
}

export interface CanvasProps {
  /** The text alternative. */
  readonly label: string;
  readonly heightFor: (width: number) => number;
  readonly draw: (brush: Brush) => void;
  /** The drawing is repeated when one of these changes. */
  readonly of: readonly unknown[];
  /** Called with the pointer's position in CSS pixels, or `undefined` when the pointer has left. */
  readonly onPoint?: (point: Point | undefined) => void;
  /** Only a shortcut: whatever it opens must also be a link. */
  readonly onClick?: (point: Point) => void;
}

/** A position in CSS pixels. */
interface Point {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** A drawing at the screen's resolution. It is repeated when its width, the colours or the data change. */
export function Canvas({ label, heightFor, draw, of, onPoint, onClick }: CanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  const dark = useDark();
  useLayoutEffect(() => {
    const { current } = canvas;
    if (current === null) return;
    const observer = new ResizeObserver(() => setWidth(current.clientWidth));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const { current } = canvas;
    const context = current?.getContext("2d");
    if (!current || !context || width === 0) return;
    const height = heightFor(width);
    const ratio = devicePixelRatio;
    current.style.height = `${height}px`;
    current.width = Math.round(width * ratio);
    current.height = Math.round(height * ratio);
    context.scale(ratio, ratio);
    draw({ context, width, height });
  }, [width, theme.value, dark, ...of]);
  const pointOf = (event: MouseEvent): Point => ({ x: event.offsetX, y: event.offsetY, width });
  const point = (event: PointerEvent): void => onPoint?.(pointOf(event));
  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label={label}
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={() => onPoint?.(undefined)}
      onClick={(event) => onClick?.(pointOf(event))}
    />
  );
}

function useDark(): boolean {
  const [dark, setDark] = useState(() => QUERY.matches);
  useLayoutEffect(() => {
    const changed = (): void => setDark(QUERY.matches);
    QUERY.addEventListener("change", changed);
    return () => QUERY.removeEventListener("change", changed);
  }, []);
  return dark;
}

const QUERY = matchMedia("(prefers-color-scheme: dark)");
