import { computed, signal } from "@preact/signals";
import { type Route, parseRoute, formatRoute } from "./route.ts";

/** The current route. It is behind `#`, so that the page works below any path and filters appear in no server log. */
const hash = signal(location.hash);
addEventListener("hashchange", () => {
  hash.value = location.hash;
});

export const route = computed((): Route => parseRoute(hash.value));

export function goTo(next: Route): void {
  location.hash = formatRoute(next);
}

/** Shows a relative address, which may have a query before its fragment, as a new entry of the history. */
export function showAddress(address: string): void {
  history.pushState(null, "", address);
  hash.value = location.hash;
}

/**
 * Changes parameters of the current view, which is then no longer the one that a link has named. Use `replace` while
 * the reader types, for one history entry in total.
 */
export function setParameters(changes: Readonly<Record<string, string | undefined>>, how: "push" | "replace"): void {
  const { view, path, parameters } = route.value;
  const next: Readonly<Record<string, string | undefined>> = { ...parameters, view: undefined, ...changes };
  const merged = Object.entries(next).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, value] as const],
  );
  const changed = formatRoute({ view, path, parameters: Object.fromEntries(merged) });
  if (how === "push") history.pushState(null, "", changed);
  else history.replaceState(null, "", changed);
  hash.value = changed;
}
