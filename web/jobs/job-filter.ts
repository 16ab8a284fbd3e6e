import type { Parameters } from "../ask/ask.ts";

/** Parameters of the address that are the API's own. `q` is not: the page itself looks for its words. */
const ASKED = [
  "cluster",
  "namespace",
  "name",
  "state",
  "labelSelector",
  "fieldSelector",
  "owner",
  "createdAfter",
  "createdBefore",
  "finishedAfter",
  "finishedBefore",
  "attention",
  "sort",
] as const;

/** Spans that `created` may name, in milliseconds: relative, so that a saved view stays what its name says. */
export const SPANS: Readonly<Record<string, number>> = {
  "1h": 3_600_000,
  "6h": 21_600_000,
  "24h": 86_400_000,
  "7d": 604_800_000,
  "30d": 2_592_000_000,
};

/** What the API is asked for at a place of the page; a span counts back from `now`, to the minute, so that it stays one question for a while. */
export function askedParameters(parameters: Readonly<Record<string, string>>, now: number): Parameters {
  const asked = Object.fromEntries(ASKED.flatMap((name) => (parameters[name] ? [[name, parameters[name]]] : [])));
  const span = SPANS[parameters["created"] ?? ""];
  if (span === undefined) return asked;
  const since = Math.floor((now - span) / 60_000) * 60_000;
  return { ...asked, createdAfter: new Date(since).toISOString() };
}
