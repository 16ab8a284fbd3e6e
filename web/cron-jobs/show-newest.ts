/** Scrolls a wide heat map to its end: today. */
export function showNewest(scroller: HTMLElement | null): void {
  if (scroller !== null) scroller.scrollLeft = scroller.scrollWidth;
}
