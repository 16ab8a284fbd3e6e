import { computed, signal } from "@preact/signals";
import { showAddress } from "../shell/location.ts";
import { addressOf, stepIn } from "./tour-steps.ts";

/** Whether the server is a demo, whose data the tour shows. */
export const isDemo = signal(false);

const search = signal(location.search);
addEventListener("popstate", () => {
  search.value = location.search;
});

/** The step of the tour, from 1; `undefined` while there is none. It is in the address, before the view. */
export const tourStep = computed(() => (isDemo.value ? stepIn(search.value) : undefined));

const KEY = "outlive.tour";
const CLOSED = "closed";

/** Whether the tour was closed in this browser, or declined. */
export const isDeclined = signal(localStorage.getItem(KEY) === CLOSED);

export function goToStep(step: number): void {
  showAddress(addressOf(step));
  search.value = location.search;
}

/** Leaves the shown view as it is. */
export function closeTour(): void {
  localStorage.setItem(KEY, CLOSED);
  isDeclined.value = true;
  if (tourStep.value === undefined) return;
  showAddress(`${location.pathname}${location.hash}`);
  search.value = location.search;
  document.getElementById("main")?.focus();
}
