import { type RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

/** The visible part of a scrolled element, in pixels. */
export interface ShownWindow {
  readonly top: number;
  readonly height: number;
}

/** Used until the element is measured. It is large, so that most tables are rendered once only. */
const UNMEASURED: ShownWindow = { top: 0, height: 900 };

export function useWindow(element: RefObject<HTMLElement | null>): ShownWindow {
  const [shown, setShown] = useState(UNMEASURED);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const measure = (): void => setShown({ top: current.scrollTop, height: current.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    current.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      current.removeEventListener("scroll", measure);
    };
  }, []);
  return shown;
}
