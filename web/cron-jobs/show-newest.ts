/** Keeps the end of a wide heat map in view, which is today, until its rows are loaded. */
export function showNewest(scroller: HTMLElement | null): (() => void) | undefined {
  const table = scroller?.firstElementChild ?? null;
  if (scroller === null || table === null) return undefined;
  const observer = new ResizeObserver(() => {
    scroller.scrollLeft = scroller.scrollWidth;
    if (scroller.querySelector(".waiting") === null) observer.disconnect();
  });
  observer.observe(table);
  return () => observer.disconnect();
}
