import type { Instant } from "../job/model/instant.ts";
import type { LogItem, PackedLog } from "../ports/log.ts";
import type { SealedItem } from "./ingest-segment.ts";
import type { LogHourRegistry } from "./log-hour-registry.ts";
import { packSegments } from "./pack-segments.ts";

/** Where segments are packed. */
export interface Packer {
  readonly packs: PackedLog;
  readonly hours: LogHourRegistry;
  /** The number of shards of the log among which packs are distributed. */
  readonly shards: number;
  readonly now: () => Instant;
}

/** The outcome of one of the segments. */
export type PackedOutcome =
  /** `duplicate`: the same segment arrived twice in this batch. */
  | { readonly outcome: "appended" | "duplicate"; readonly item: SealedItem }
  | { readonly outcome: "conflict"; readonly storedSha256: string }
  /** The pack was not written: the segment must be delivered again. */
  | { readonly outcome: "failed"; readonly cause: unknown };

/** A segment to append. */
export interface ArrivedItem {
  readonly item: SealedItem;
  /** Whether the segment gets a pack of its own, because it may be what makes writes fail. */
  readonly isAlone: boolean;
}

/**
 * Appends segments that arrived together, in as few packs as their sizes allow. The outcomes are in their order. A
 * segment that was appended in an earlier batch is appended again: a reader of the log joins its facts once more,
 * which changes nothing (docs/decisions/0029-packs.md).
 */
export async function appendPacked(packer: Packer, arrived: readonly ArrivedItem[]): Promise<readonly PackedOutcome[]> {
  const first = new Map<string, ArrivedItem>();
  for (const one of arrived) if (!first.has(keyText(one.item))) first.set(keyText(one.item), one);
  const written = await appendAll(packer, [...first.values()]);
  return arrived.map(({ item }) => {
    const copy = first.get(keyText(item));
    const outcome = written.get(keyText(item)) ?? notWritten(item);
    if (copy === undefined || copy.item === item || outcome.outcome !== "appended") return outcome;
    if (copy.item.sha256 !== item.sha256) return { outcome: "conflict", storedSha256: copy.item.sha256 };
    return { outcome: "duplicate", item: outcome.item };
  });
}

async function appendAll(
  { packs, hours, shards, now }: Packer,
  arrived: readonly ArrivedItem[],
): Promise<ReadonlyMap<string, PackedOutcome>> {
  const groups = [
    arrived.filter(({ isAlone }) => !isAlone),
    ...arrived.filter(({ isAlone }) => isAlone).map((one) => [one]),
  ];
  const packing = { arrivedAt: now(), shards };
  const all = groups.flatMap((group) =>
    packSegments(
      group.map(({ item }) => item),
      packing,
    ),
  );
  const outcomes = new Map<string, PackedOutcome>();
  await Promise.all(
    all.map(async ({ hour, sk, items }) => {
      const cause = await causeOfFailure(async () => {
        // The hour is recorded before its first pack, so that a replay misses none.
        await hours.note(hour);
        await packs.append({ hour, sk, items: items.map(withoutSegment) });
      });
      for (const item of items) outcomes.set(keyText(item), cause ?? { outcome: "appended", item });
    }),
  );
  return outcomes;
}

function withoutSegment({ key, bytes, sha256, factCount }: LogItem): LogItem {
  return { key, bytes, sha256, factCount };
}

async function causeOfFailure(write: () => Promise<void>): Promise<PackedOutcome | undefined> {
  try {
    await write();
    return undefined;
  } catch (cause) {
    // Whatever failed: the messages of this pack are delivered again, and the other packs are not affected.
    return { outcome: "failed", cause };
  }
}

function notWritten({ key }: LogItem): PackedOutcome {
  return { outcome: "failed", cause: new Error(`Segment ${key.sk} was not written: no pack was formed for it.`) };
}

function keyText({ key }: LogItem): string {
  return `${key.pk} ${key.sk}`;
}
