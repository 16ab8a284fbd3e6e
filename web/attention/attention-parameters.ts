import type { Parameters } from "../api/request.ts";

type Address = Readonly<Record<string, string>>;

/** Values of `since`, as texts. */
export const SPAN_TEXTS: ReadonlyMap<string, string> = new Map([
  ["24h", "Last 24 hours"],
  ["30d", "Last 30 days"],
  ["all", "Any time"],
]);
/** Without a value, the API answers for its standard range. */
export const STANDARD_SPAN_TEXT = "Last 7 days";

/** Kubernetes is younger. */
const ALL = "2000-01-01T00:00:00Z";

/** The API's parameters for the parameters of the address. The page itself handles `severity`. */
export function attentionParameters({ cluster, namespace, team, since = "" }: Address): Parameters {
  return Object.fromEntries(
    Object.entries({
      cluster,
      namespace,
      labelSelector: team === undefined ? undefined : `team=${team}`,
      since: since === "all" ? ALL : SPAN_TEXTS.has(since) ? since : undefined,
    }).filter(([, value]) => value !== undefined),
  );
}
