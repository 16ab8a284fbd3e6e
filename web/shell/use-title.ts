import { useEffect } from "preact/hooks";
import { viewTitle } from "./badge.ts";

/** Sets the title of the tab, which screen readers announce. */
export function useTitle(title: string): void {
  useEffect(() => {
    viewTitle.value = title;
  }, [title]);
}
