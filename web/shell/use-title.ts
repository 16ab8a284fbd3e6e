import { useEffect } from "preact/hooks";

/** Sets the title of the tab, which screen readers announce. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Outlive`;
  }, [title]);
}
