import { useEffect } from "preact/hooks";

/** Names the view in the tab and for screen readers. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Outlive`;
  }, [title]);
}
