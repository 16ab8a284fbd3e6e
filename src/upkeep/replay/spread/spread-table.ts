import type { IdleJobs, ScannedPart, StoredEntry } from "../../../ports/projections.ts";
import type { JobKey } from "../../../ports/jobs.ts";
import { VarintReader, VarintWriter } from "../../../projection/job-state/varint.ts";
import type { UnitBatch } from "../units/run-unit.ts";
import { groupName } from "./spread-log.ts";
import { groupText, spread, type SpreadPlace } from "./spread-objects.ts";

export interface TableSpread {
  readonly place: SpreadPlace;
  readonly idle: Pick<IdleJobs, "scan">;
  /** What the idle projection has of Jobs, or of runs. @default "table" */
  readonly kind?: "table" | "runTable";
  /** Whether there is time to collect more. @default always */
  readonly hasTime?: (() => boolean) | undefined;
}

/** Some 100 bytes each, in memory. */
const MOST_ENTRIES = 400_000;

/** Spreads what a part of the idle projection has stored: the version and the digest of each state. */
export async function* spreadTable(
  { place, idle, kind = "table", hasTime }: TableSpread,
  part: ScannedPart,
  from?: string,
): AsyncGenerator<UnitBatch> {
  let entries: (readonly [JobKey, StoredEntry])[] = [];
  let last = from;
  const batch = (collected: typeof entries, at: string): UnitBatch => ({
    place: at,
    segments: 0,
    facts: 0,
    isCollected: true,
    apply: async (version) => {
      const name = groupName(`${kind} ${part.index} ${part.of}`, version);
      const encoded = collected.map(([key, entry]) => [key, encodeEntry(entry)] as const);
      return { failed: [], spread: [groupText(await spread(place, { kind, name }, encoded))] };
    },
  });
  for await (const page of idle.scan(part, from)) {
    entries.push(...page.entries);
    last = page.place;
    if (entries.length < MOST_ENTRIES && hasTime?.() !== false) continue;
    yield batch(entries, last);
    entries = [];
  }
  if (entries.length > 0 && last !== undefined) yield batch(entries, last);
}

export function encodeEntry({ version, digest, recordedAt }: StoredEntry): Uint8Array {
  const written = new VarintWriter().unsigned(version).block(digest);
  return (recordedAt === undefined ? written : written.signed(recordedAt)).finish();
}

export function decodeEntry(bytes: Uint8Array): StoredEntry {
  const reader = new VarintReader(bytes);
  const [version, digest] = [reader.unsigned(), reader.block()];
  return { version, digest, ...(!reader.isAtEnd && { recordedAt: reader.signed() }) };
}
