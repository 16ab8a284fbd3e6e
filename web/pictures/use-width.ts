import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** An element, and the width of its content in CSS pixels, which is 0 before it is laid out. */
export function useWidth<Element extends HTMLElement>(): readonly [RefObject<Element | null>, number] {
  const element = useRef<Element>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const observer = new ResizeObserver((entries) => setWidth(Math.floor(entries[0]?.contentRect.width ?? 0)));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}
