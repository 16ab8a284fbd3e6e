import type { Parameters } from "../api/request.ts";
import { readSort, sortText } from "../table/sort.ts";

/** Filters of the address that are the API's own. The page itself handles `q`, the text search. */
const API_PARAMETERS = [
  "cluster",
  "namespace",
  "name",
  "state",
  "labelSelector",
  "fieldSelector",
  "owner",
  "run",
  "createdAfter",
  "createdBefore",
  "finishedAfter",
  "finishedBefore",
  "waiting",
  "attention",
] as const;

/** SORTS of src/query/list/sort-order.ts. The page sorts by other columns, once all rows are loaded. */
export const SERVER_ORDERS: ReadonlySet<string> = new Set(["created", "started", "finished", "duration", "name"]);

/** What columns show that a list has on request only, by the API's parameter. */
const ON_REQUEST = { usage: "reserved", expected: "expectedEnd" } as const;

/** Values of `created`, in milliseconds. They are relative, so that a saved view stays correct. */
export const SPANS: ReadonlyMap<string, number> = new Map([
  ["1h", 3_600_000],
  ["6h", 21_600_000],
  ["24h", 86_400_000],
  ["7d", 604_800_000],
  ["30d", 2_592_000_000],
]);

const MINUTE_MILLIS = 60_000;

/**
 * The API's parameters for the parameters of the address. A relative time is rounded down to whole minutes. Jobs that
 * were created at that instant are included.
 */
export function apiParameters(parameters: Readonly<Record<string, string>>, now: number): Parameters {
  const given = Object.fromEntries(
    API_PARAMETERS.flatMap((name) => (parameters[name] ? [[name, parameters[name]]] : [])),
  );
  const span = SPANS.get(parameters["created"] ?? "");
  if (span === undefined) return given;
  const since = Math.floor((now - span) / MINUTE_MILLIS) * MINUTE_MILLIS;
  return { ...given, createdAfter: new Date(since - 1).toISOString() };
}

/**
 * The parameters of the address that decide what a list of Jobs reads. It stays the same while only columns that need
 * no further data, or the order of loaded rows, are changed.
 */
export function listQuestion(parameters: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const sort = readSort(parameters["sort"]);
  const columns = (parameters["columns"] ?? "").split(",");
  const filters = [...API_PARAMETERS, "created"].flatMap((name) =>
    parameters[name] ? [[name, parameters[name]] as const] : [],
  );
  return {
    ...Object.fromEntries(filters),
    ...(sort !== undefined && SERVER_ORDERS.has(sort.by) && { sort: sortText(sort) }),
    ...(columns.includes(ON_REQUEST.usage) && { usage: "true" }),
    ...(columns.includes(ON_REQUEST.expected) && { expected: "true" }),
  };
}

/** The API's parameters for a {@link listQuestion}. */
export function listRequest(question: Readonly<Record<string, string>>, now: number): Parameters {
  const { sort, usage, expected } = question;
  return { ...apiParameters(question, now), sort, usage, expected };
}
