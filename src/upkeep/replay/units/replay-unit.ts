import { type ClusterName, decodeClusterName } from "../../../job/model/ids.ts";
import { dayBegin, formatInstant, type Instant, parseInstant } from "../../../job/model/instant.ts";

/**
 * A part of the log that one worker processes at a time. `days`: the items of a cluster from one UTC day (`yyyymmdd`)
 * to another one, inclusive. `packs`: the packs of all shards that arrived in a time, without its end. All shards
 * belong together, because a Job's segments are in several: so each state is written by few units.
 */
export type LogUnit =
  | { readonly kind: "days"; readonly cluster: ClusterName; readonly from: string; readonly to: string }
  | { readonly kind: "packs"; readonly from: Instant; readonly to: Instant };

/**
 * What one worker does at a time. `table`: it lists one of `of` parts of the idle projection. `bucket`: it corrects the
 * Jobs of one of 2^bits buckets (spread/). `runTable` and `runBucket`: the same of runs.
 */
export type WorkUnit =
  | LogUnit
  | { readonly kind: "table" | "runTable"; readonly index: number; readonly of: number }
  | { readonly kind: "bucket" | "runBucket"; readonly bucket: number; readonly bits: number };

/** Names a unit, for example `packs 2026-11-21T08:00:00Z 2026-11-21T08:15:00Z`. */
export function unitId(unit: WorkUnit): string {
  switch (unit.kind) {
    case "days":
      return `days ${unit.cluster} ${unit.from} ${unit.to}`;
    case "packs":
      return `packs ${formatInstant(unit.from)} ${formatInstant(unit.to)}`;
    case "table":
    case "runTable":
      return `${unit.kind} ${unit.index} ${unit.of}`;
    case "bucket":
    case "runBucket":
      return `${unit.kind} ${unit.bucket} ${unit.bits}`;
  }
}

/** The inverse of {@link unitId}; `undefined` for another text. */
export function decodeUnitId(text: string): WorkUnit | undefined {
  const [kind, ...words] = text.split(" ");
  const unit = READERS[kind ?? ""]?.(words);
  return unit !== undefined && unitId(unit) === text ? unit : undefined;
}

const READERS: Readonly<Partial<Record<string, (words: readonly string[]) => WorkUnit | undefined>>> = {
  days: daysUnit,
  packs: packsUnit,
  table: (words) => ({ kind: "table", ...numbers(words, "index", "of") }),
  runTable: (words) => ({ kind: "runTable", ...numbers(words, "index", "of") }),
  bucket: (words) => ({ kind: "bucket", ...numbers(words, "bucket", "bits") }),
  runBucket: (words) => ({ kind: "runBucket", ...numbers(words, "bucket", "bits") }),
};

function numbers<First extends string, Second extends string>([a, b]: readonly string[], first: First, second: Second) {
  return { [first]: Number(a), [second]: Number(b) } as Record<First | Second, number>;
}

function daysUnit([name, from = "", to = ""]: readonly string[]): WorkUnit | undefined {
  const cluster = decodeClusterName(name);
  const isValid = cluster !== undefined && dayBegin(from) !== undefined && dayBegin(to) !== undefined;
  return isValid ? { kind: "days", cluster, from, to } : undefined;
}

function packsUnit(words: readonly string[]): WorkUnit | undefined {
  const [from, to] = words.map(parseInstant);
  return from === undefined || to === undefined ? undefined : { kind: "packs", from, to };
}
