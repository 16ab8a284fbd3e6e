import { computed, signal } from "@preact/signals";
import { type Place, placeOf, textOfPlace } from "./place.ts";

/** Where the reader is. It lives behind `#`, so that the page works below any path and no filter is written into a server's log. */
const hash = signal(location.hash);
addEventListener("hashchange", () => {
  hash.value = location.hash;
});

export const place = computed((): Place => placeOf(hash.value));

export function goTo(next: Place): void {
  location.hash = textOfPlace(next);
}

/** Changes the parameters of this view; what is typed letter by letter leaves one entry in the history, not one a letter. */
export function setParameters(changes: Readonly<Record<string, string | undefined>>, how: "push" | "replace"): void {
  const { view, path, parameters } = place.value;
  const merged = Object.entries({ ...parameters, ...changes }).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, value] as const],
  );
  const next = textOfPlace({ view, path, parameters: Object.fromEntries(merged) });
  if (how === "push") history.pushState(null, "", next);
  else history.replaceState(null, "", next);
  hash.value = next;
}
