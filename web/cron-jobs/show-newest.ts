/** A heat map that does not fit begins where it ends: today is what people come for. */
export function showNewest(scroller: HTMLElement | null): void {
  if (scroller !== null) scroller.scrollLeft = scroller.scrollWidth;
}
