import type { Parameters } from "../api/request.ts";

/** Parameters of the address that are the API's own. The page itself handles `q`, the text search. */
const API_PARAMETERS = [
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
  "waiting",
  "attention",
  "sort",
] as const;

/** Values of `created`, in milliseconds. They are relative, so that a saved view stays correct. */
export const SPANS: Readonly<Record<string, number>> = {
  "1h": 3_600_000,
  "6h": 21_600_000,
  "24h": 86_400_000,
  "7d": 604_800_000,
  "30d": 2_592_000_000,
};

const MINUTE_MILLIS = 60_000;
/** The API counts any number of Jobs of whole hours. */
export const HOUR_MILLIS = 3_600_000;

/**
 * The API's parameters for the parameters of the address. A relative time is rounded down to whole minutes, or to
 * `rounding`. Jobs that were created at that instant are included.
 */
export function apiParameters(
  parameters: Readonly<Record<string, string>>,
  now: number,
  rounding = MINUTE_MILLIS,
): Parameters {
  const given = Object.fromEntries(
    API_PARAMETERS.flatMap((name) => (parameters[name] ? [[name, parameters[name]]] : [])),
  );
  const span = SPANS[parameters["created"] ?? ""];
  if (span === undefined) return given;
  const since = Math.floor((now - span) / rounding) * rounding;
  return { ...given, createdAfter: new Date(since - 1).toISOString() };
}
