import { type RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

/** What a scrolled element shows of its content, in pixels. */
export interface ShownWindow {
  readonly top: number;
  readonly height: number;
}

/** Tall enough for any screen before the element was measured: no second rendering for most tables. */
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
