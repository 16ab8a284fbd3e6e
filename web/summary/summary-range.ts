import { type TimeRange, UNIT_MILLIS } from "../pictures/bucket.ts";
import { millisOf } from "../text/instant-text.ts";

/** Values of `created`: how far back the summary reaches, beside the current hour or day. */
const RANGES = {
  "24h": { count: 24, unit: "hour" },
  "7d": { count: 7, unit: "day" },
  "30d": { count: 30, unit: "day" },
} as const;

/** The choices, and `any` for a summary without pictures. */
export const RANGE_TEXTS: ReadonlyMap<string, string> = new Map([
  ["24h", "24 hours, by hour"],
  ["30d", "30 days, by day"],
  ["any", "Any time"],
]);
/** What no choice means. */
export const STANDARD_RANGE_TEXT = "7 days, by day";

/** A link may name a shorter range, which is shown by hour. */
const MOST_HOURS = 72;
/** The most days that a picture has room for. */
const MOST_DAYS = 400;
/** 1970. The bounds of an earlier day may be no dates of JavaScript. */
const FIRST = 0;

/**
 * The whole UTC hours or days that the address asks for: `created`, or `createdAfter` and `createdBefore`. `undefined`:
 * any time, or more days than a picture has room for.
 */
export function rangeOf(parameters: Readonly<Record<string, string>>, now: number): TimeRange | undefined {
  const { created = "", createdAfter, createdBefore } = parameters;
  const after = millisOf(createdAfter);
  if (after !== undefined && created === "") return givenRange(after, millisOf(createdBefore) ?? now);
  if (created === "any" || createdBefore !== undefined) return undefined;
  const { count, unit } = Object.entries(RANGES).find(([name]) => name === created)?.[1] ?? RANGES["7d"];
  const step = UNIT_MILLIS[unit];
  const current = Math.floor(now / step) * step;
  return { from: current - count * step, to: current + step, unit };
}

/** Bounds are exclusive, as in the API. */
function givenRange(after: number, before: number): TimeRange | undefined {
  const unit = before - after <= MOST_HOURS * UNIT_MILLIS.hour ? "hour" : "day";
  const step = UNIT_MILLIS[unit];
  const from = Math.floor((after + 1) / step) * step;
  const to = Math.ceil(before / step) * step;
  return to <= from || from < FIRST || (to - from) / step > MOST_DAYS ? undefined : { from, to, unit };
}

/** The parameters of the address that filter Jobs and are the same for all answers of the view. */
const FILTERS = ["cluster", "namespace", "owner", "labelSelector"] as const;
const BOUNDS = ["createdAfter", "createdBefore"] as const;

/** The given ones of some parameters. */
function given(
  parameters: Readonly<Record<string, string>>,
  names: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(names.flatMap((name) => (parameters[name] ? [[name, parameters[name]]] : [])));
}

/**
 * The bounds of creation for a range, or for one of its hours or days. Without an end, the API counts up to now, and
 * reads no part of an hour.
 */
export function createdWithin(
  { from, to }: Pick<TimeRange, "from" | "to">,
  now: number,
): Readonly<Record<string, string>> {
  const createdAfter = new Date(from - 1).toISOString();
  return to > now ? { createdAfter } : { createdAfter, createdBefore: new Date(to).toISOString() };
}

/** What the view shows: which Jobs, and when. */
export interface SummaryQuery {
  readonly filters: Readonly<Record<string, string>>;
  /** `undefined`: any time, without pictures. */
  readonly range: TimeRange | undefined;
  /** The filters with the bounds of creation. They select the Jobs of the summary in the API and in lists. */
  readonly jobs: Readonly<Record<string, string>>;
}

export function summaryQuery(parameters: Readonly<Record<string, string>>, now: number): SummaryQuery {
  const filters = given(parameters, FILTERS);
  const range = rangeOf(parameters, now);
  const bounds = range === undefined ? given(parameters, BOUNDS) : createdWithin(range, now);
  return { filters, range, jobs: { ...filters, ...bounds } };
}

/** The same bounds for answers about nodes and usage, whose bounds are not exclusive. */
export function timeBounds({ range, jobs }: SummaryQuery): Readonly<Record<string, string>> {
  const { createdAfter, createdBefore } = jobs;
  const since = range === undefined ? createdAfter : new Date(range.from).toISOString();
  return { ...(since !== undefined && { since }), ...(createdBefore !== undefined && { until: createdBefore }) };
}

/** The parameters of the list of the Jobs that were created in one hour or day. */
export function jobsIn(
  { filters }: Pick<SummaryQuery, "filters">,
  { at, end }: { readonly at: number; readonly end: number },
): Readonly<Record<string, string>> {
  return { ...filters, createdAfter: new Date(at - 1).toISOString(), createdBefore: new Date(end).toISOString() };
}
