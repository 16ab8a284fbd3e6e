import type { Instant } from "../../../src/job/model/instant.ts";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** An object, reduced to what a recording needs. Its `resourceVersion` follows from the order of events. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly uid: string; readonly name: string; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
}

export interface WatchEvent {
  readonly at: Instant;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: KubernetesObject;
}

/** A request that the API server answered. Its log goes on while a watch is interrupted. */
export interface AuditEvent {
  readonly at: Instant;
  readonly audit: Readonly<Record<string, unknown>>;
}

export type RecordedEvent = WatchEvent | AuditEvent;

/** An interval without a watch. */
export interface WatchGap {
  readonly from: Instant;
  readonly to: Instant;
}

/** An instant as objects show it: in whole seconds. */
export function stamp(at: Instant): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

/**
 * The recording of a watch until an instant: one line per event, as kubectl writes it. It has no times of arrival: with
 * them, an import makes a segment of each event, as an exporter does.
 */
export function recordingLines(events: readonly RecordedEvent[], until: Instant, gap?: WatchGap): readonly string[] {
  const past = events.filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at);
  if (gap === undefined) return past.map((event, index) => lineOf(event, index));
  const after = past.findIndex(({ at }) => at > gap.to);
  const listed = listOf(past.slice(0, after)).map((event) => ({ ...event, at: gap.to }));
  const lines = past.map((event, index) => (isIn(gap, event) ? undefined : lineOf(event, index)));
  const known = lines.slice(0, after).concat(EXPIRED, ...listed.map((event) => lineOf(event, after)));
  return [...known, ...lines.slice(after)].filter((line) => line !== undefined);
}

function isIn({ from, to }: WatchGap, event: RecordedEvent): boolean {
  return "object" in event && event.at > from && event.at <= to;
}

/** What the list shows that a new watch begins with: each object that exists, as it was last written. */
function listOf(events: readonly RecordedEvent[]): readonly WatchEvent[] {
  const watched = events.filter((event) => "object" in event);
  const latest = new Map(watched.map((event) => [event.object.metadata.uid, event]));
  return [...latest.values()].flatMap((event) => (event.type === "DELETED" ? [] : [{ ...event, type: "ADDED" }]));
}

/** The API server no longer has the changes since the last event. */
const EXPIRED = JSON.stringify({
  type: "ERROR",
  object: { kind: "Status", status: "Failure", message: "too old resource version", reason: "Expired", code: 410 },
});

const FIRST_VERSION = 1_000;

function lineOf(event: RecordedEvent, index: number): string {
  if ("audit" in event) return JSON.stringify(event.audit);
  const { type, object } = event;
  const metadata = { ...object.metadata, resourceVersion: String(FIRST_VERSION + index) };
  return JSON.stringify({ type, object: { ...object, metadata } });
}
