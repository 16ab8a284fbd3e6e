/** What a table contains (lib/storage/table.ts). */
export type TableContent = "log" | "jobs" | "runs" | "records";

/** How many units of each kind a one-Pod Job takes. */
export interface Units {
  readonly write: number;
  readonly read: number;
}

/**
 * Units of a one-Pod Job by table. Writes are those of the reference fleet (docs/scale.md: measured). How reads are
 * divided among the tables is assumed; target tracking corrects it.
 */
const PER_JOB: Readonly<Record<TableContent, Units>> = {
  log: { write: 0.75, read: 0.5 },
  jobs: { write: 3.23, read: 6 },
  runs: { write: 0.3, read: 0.5 },
  records: { write: 1.7, read: 4.5 },
};
const PER_JOB_OF_INDEX: ReadonlyMap<string, Units> = new Map([
  ["list", { write: 1, read: 0.5 }],
  ["name", { write: 1, read: 0.5 }],
  ["attention", { write: 0.1, read: 0.5 }],
  ["wide", { write: 0.3, read: 0.5 }],
  // Few runs have a key of another system.
  ["external", { write: 0.1, read: 0.5 }],
]);

/** A fifth of the Jobs are in runs of four. */
const RUNS_PER_JOB = 0.05;
/** What a run writes, where that is more than of a Job (measured): it may turn out to have begun earlier. */
const WRITES_PER_RUN: ReadonlyMap<string, number> = new Map([
  ["list", 1.4],
  ["name", 1.4],
  ["wide", 1.7],
]);

/** The peak of the reference fleet is ten times its average. */
const PEAK_FACTOR = 10;
/** The utilisation that target tracking keeps, so that a rise of a half in some minutes is not throttled. */
export const TARGET_PERCENT = 60;
/** The utilisation at the peak, which is known in advance. */
const PEAK_PERCENT = 90;
/** What an idle table or index has, such as the projection that does not answer. */
export const LEAST = 5;
/** The quota of a table in most regions. */
export const MOST_UNITS = 40_000;

/** Provisioned units per second of a table or an index. */
export interface Throughput {
  /** When the table is created, or switched from on demand: the average load. */
  readonly initial: number;
  /** The least from ten minutes before midnight until a quarter past. */
  readonly atPeak: number;
  readonly most: number;
}

/** The throughput for this number of Jobs per second at the peak, each of which takes `units`. */
export function throughputOf(peakJobsPerSecond: number, units: number): Throughput {
  const atPeak = atLeast(LEAST, (peakJobsPerSecond * units * 100) / PEAK_PERCENT);
  const initial = atLeast(LEAST, ((peakJobsPerSecond / PEAK_FACTOR) * units * 100) / TARGET_PERCENT);
  return {
    initial: Math.min(MOST_UNITS, initial),
    atPeak: Math.min(MOST_UNITS, atPeak),
    most: Math.min(MOST_UNITS, 2 * atPeak),
  };
}

/** The units of the average load, as the constructs of tables and indexes take them. */
export function initialCapacity(peakJobsPerSecond: number, { read, write }: Units) {
  return {
    readCapacity: throughputOf(peakJobsPerSecond, read).initial,
    writeCapacity: throughputOf(peakJobsPerSecond, write).initial,
  };
}

export function unitsOfTable(content: TableContent): Units {
  return PER_JOB[content];
}

export function unitsOfIndex(content: TableContent, name: string): Units {
  const units = PER_JOB_OF_INDEX.get(name);
  if (units === undefined) throw new TypeError(`The units of index ${name} are unknown. Add what a Job takes of it.`);
  if (content !== "runs") return units;
  return { write: RUNS_PER_JOB * (WRITES_PER_RUN.get(name) ?? units.write), read: RUNS_PER_JOB * units.read };
}

function atLeast(least: number, value: number): number {
  return Math.max(least, Math.ceil(value));
}
