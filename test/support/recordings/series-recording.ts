import { writeFileSync } from "node:fs";

/** A series, and how its last run, which is in progress, differs from those before. */
export interface RecordedSeries {
  readonly name: string;
  /** The seconds that the successful runs take, the oldest first. A negative number is a failed run. */
  readonly seconds: readonly number[];
  /** Since when the last run is in progress. @default 60 s */
  readonly running?: number;
  /** The parallelism of the run in progress. @default 1, as of those before */
  readonly parallelism?: number;
  /** Whether the run in progress is suspended. @default false */
  readonly suspend?: boolean;
}

const FIRST = Date.UTC(2026, 10, 21);
/** When the run in progress of each series was last observed. */
export const OBSERVED_AT = FIRST + 30 * 86_400_000;
const HOUR = 3_600_000;

/** Writes a recording of CronJobs that run hourly. The watch was interrupted `gapAt` hours before its end. */
export function writeSeriesRecording(
  file: string,
  { series, gapAt }: { readonly series: readonly RecordedSeries[]; readonly gapAt?: number },
): void {
  const timed = series.flatMap(eventsOf).toSorted((a, b) => a.at - b.at);
  const gap = OBSERVED_AT - (gapAt ?? Infinity) * HOUR;
  const lines = timed.flatMap(({ at, event }, index) => {
    const before = timed[index - 1];
    const isGap = before !== undefined && before.at <= gap && at > gap;
    const text = JSON.stringify(event(String(100 + index)));
    return isGap ? [EXPIRED, text] : [text];
  });
  writeFileSync(file, `${lines.join("\n")}\n`);
}

const EXPIRED = JSON.stringify({
  type: "ERROR",
  object: { kind: "Status", status: "Failure", message: "too old resource version", reason: "Expired", code: 410 },
});

interface TimedEvent {
  readonly at: number;
  readonly event: (resourceVersion: string) => object;
}

function eventsOf({
  name,
  seconds,
  running = 60,
  parallelism = 1,
  suspend = false,
}: RecordedSeries): readonly TimedEvent[] {
  const past = seconds.flatMap((length, index) => {
    const start = OBSERVED_AT - (seconds.length - index) * HOUR;
    const end = start + Math.abs(length) * 1000;
    const run = { name, start, parallelism: 1, suspend: false };
    return [
      { at: start, event: jobEvent("ADDED", run, { startTime: iso(start), active: 1 }) },
      { at: end, event: jobEvent("MODIFIED", run, ended({ start, end, isComplete: length >= 0 })) },
    ];
  });
  const start = OBSERVED_AT - running * 1000;
  const current = { name, start, parallelism, suspend };
  return [
    ...past,
    { at: start, event: jobEvent("ADDED", current, suspend ? {} : { startTime: iso(start), active: 1 }) },
  ];
}

interface Run {
  readonly name: string;
  readonly start: number;
  readonly parallelism: number;
  readonly suspend: boolean;
}

function jobEvent(type: string, { name, start, parallelism, suspend }: Run, status: object): TimedEvent["event"] {
  const owner = { apiVersion: "batch/v1", kind: "CronJob", name, uid: `cron-${name}`, controller: true };
  const metadata = {
    name: `${name}-${start / 1000}`,
    namespace: "batch",
    uid: `${name}-${start}`,
    generation: 1,
    creationTimestamp: iso(start),
    ownerReferences: [owner],
  };
  const spec = {
    parallelism,
    completions: 1,
    backoffLimit: 0,
    suspend,
    completionMode: "NonIndexed",
    template: { spec: {} },
  };
  return (resourceVersion) => ({
    type,
    object: { kind: "Job", apiVersion: "batch/v1", metadata: { ...metadata, resourceVersion }, spec, status },
  });
}

function ended({
  start,
  end,
  isComplete,
}: {
  readonly start: number;
  readonly end: number;
  readonly isComplete: boolean;
}) {
  const condition = (type: string) => ({ type, status: "True", lastTransitionTime: iso(end) });
  return isComplete
    ? { startTime: iso(start), completionTime: iso(end), succeeded: 1, conditions: [condition("Complete")] }
    : { startTime: iso(start), failed: 1, conditions: [condition("Failed")] };
}

function iso(millis: number): string {
  return new Date(millis).toISOString();
}
