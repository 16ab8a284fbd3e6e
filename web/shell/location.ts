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

/** Changes parameters of the current view. Use `replace` while the reader types, for one history entry in total. */
export function setParameters(changes: Readonly<Record<string, string | undefined>>, how: "push" | "replace"): void {
  const { view, path, parameters } = route.value;
  const merged = Object.entries({ ...parameters, ...changes }).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, value] as const],
  );
  const next = formatRoute({ view, path, parameters: Object.fromEntries(merged) });
  if (how === "push") history.pushState(null, "", next);
  else history.replaceState(null, "", next);
  hash.value = next;
}
