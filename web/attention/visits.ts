import type { AttentionEntry } from "../../src/query/attention/attention.ts";

/** What one browser remembers about one server, to mark what is new. */
export interface Visits {
  /** When the visit before this one ended; in the first visit, when its first answer came, if it came. */
  readonly since?: number;
  readonly isFirst: boolean;
  /** When the page was last visible in any tab. */
  readonly activeAt: number;
  /** The entries listed in earlier visits, with the time of their newest Job. */
  readonly seen: SeenEntries;
  /** Those listed up to now. They are seen when this visit ends. */
  readonly listed: SeenEntries;
}

export type SeenEntries = Readonly<Record<string, string>>;
type Listed = Pick<AttentionEntry, "id" | "latestAt">;

/** A visit ends when no tab was visible for this long: a look at a terminal does not end it. */
export const VISIT_ENDS_AFTER = 5 * 60_000;
/** An entry that arrives late, because its cluster was silent, is new up to this age. */
const LATE_MILLIS = 86_400_000;
/** Bounds what the browser stores: about 60 bytes each. */
const MOST_SEEN = 1_000;

/** The visits while the page is visible. A clock that was set back ends no visit. */
export function whileVisible(before: Visits | undefined, now: number): Visits {
  if (before === undefined) return { isFirst: true, activeAt: now, seen: {}, listed: {} };
  const { since, activeAt, listed } = before;
  // The end of a visit in the future would hide what is new until then.
  if (now < activeAt) return { ...before, ...(since && { since: Math.min(since, now) }), activeAt: now };
  if (now - activeAt <= VISIT_ENDS_AFTER) return { ...before, activeAt: now };
  if (since === undefined) return { ...before, activeAt: now };
  return { since: activeAt, isFirst: false, activeAt: now, seen: listed, listed };
}

/** The reader was shown these entries. */
export function withListed(visits: Visits, entries: readonly Listed[]): Visits {
  return { ...visits, listed: merged(visits.listed, entries) };
}

/** Nothing can be new in the first answer of the first visit. */
export function withFirstAnswer(visits: Visits, entries: readonly Listed[], now: number): Visits {
  return visits.since === undefined ? { ...withSeen(visits, entries), since: now } : visits;
}

/** The reader has seen these entries: they are not new any more. */
export function withSeen(visits: Visits, entries: readonly Listed[]): Visits {
  return { ...visits, seen: merged(visits.seen, entries), listed: merged(visits.listed, entries) };
}

/** Whether an entry, or a Job of it, came after the last visit. */
export function isNew(visits: Visits | undefined, { id, latestAt }: Listed): boolean {
  if (visits?.since === undefined) return false;
  const seen = visits.seen[id];
  return seen === undefined
    ? Date.parse(latestAt) > visits.since - LATE_MILLIS
    : Date.parse(latestAt) > Date.parse(seen);
}

function merged(before: SeenEntries, entries: readonly Listed[]): SeenEntries {
  const all = { ...before, ...Object.fromEntries(entries.map(({ id, latestAt }) => [id, latestAt])) };
  const newestFirst = Object.entries(all).sort(([, a], [, b]) => Date.parse(b) - Date.parse(a));
  return Object.fromEntries(newestFirst.slice(0, MOST_SEEN));
}

/** Visits from storage; `undefined` if they are not from this release of the page. */
export function readVisits(text: string | null): Visits | undefined {
  try {
    const read: unknown = JSON.parse(text ?? "null");
    return isVisits(read) ? read : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isVisits(value: unknown): value is Visits {
  if (typeof value !== "object" || value === null) return false;
  const { since, isFirst, activeAt, seen, listed }: Partial<Record<keyof Visits, unknown>> = value;
  const isSince = since === undefined || typeof since === "number";
  return isSince && typeof isFirst === "boolean" && typeof activeAt === "number" && isSeen(seen) && isSeen(listed);
}

function isSeen(value: unknown): value is SeenEntries {
  return typeof value === "object" && value !== null && Object.values(value).every((at) => typeof at === "string");
}
