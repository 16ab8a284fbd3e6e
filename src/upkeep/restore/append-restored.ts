import pLimit from "p-limit";
import { appendPacked, type PackedOutcome, type Packer } from "../../log/append-packed.ts";
import { type IngestPorts, openMessage, type SealedItem } from "../../log/ingest-segment.ts";
import { DAY_MILLIS, type Instant } from "../../job/model/instant.ts";
import { errorMessage } from "../../job/text/error-message.ts";
import type { RestoredMessage, RestoreOutcome } from "./restore-request.ts";

export interface AppendRestoredPorts extends IngestPorts {
  /** The clock is not used: a restored segment keeps its first arrival. */
  readonly packer: Packer;
  /** For how many days after its arrival the log keeps a segment. */
  readonly logDays: number;
}

/** Packs that are written at the same time. */
const MAX_CONCURRENT = 16;

/**
 * Appends segments of another log with their arrivals. Those with one arrival share packs, whose names depend on their
 * content: a repetition of the same request writes nothing.
 */
export async function appendRestored(
  ports: AppendRestoredPorts,
  messages: readonly RestoredMessage[],
  now: Instant,
): Promise<readonly RestoreOutcome[]> {
  const limit = pLimit(MAX_CONCURRENT);
  const opened = await limit.map(messages, (message) => open(ports, message, now));
  const outcomes = new Map<Opened, RestoreOutcome>();
  await limit.map([...arrivals(opened)], async ([arrivedAt, group]) => {
    const appended = await appendTogether({ ...ports.packer, now: () => arrivedAt }, group);
    for (const [index, one] of group.entries()) outcomes.set(one, outcomeOf(appended[index]));
  });
  return opened.map((one) => ("item" in one ? (outcomes.get(one) ?? outcomeOf(undefined)) : one));
}

interface Opened {
  readonly item: SealedItem;
  readonly arrivedAt: Instant;
}

async function open(
  ports: AppendRestoredPorts,
  { body, arrivedAt }: RestoredMessage,
  now: Instant,
): Promise<Opened | RestoreOutcome> {
  if (arrivedAt < now - ports.logDays * DAY_MILLIS) return { outcome: "expired" };
  try {
    const message = await openMessage(ports, Buffer.from(body, "base64"), { now, recorded: true });
    return message.outcome === "setAside" ? message : { item: message.item, arrivedAt };
  } catch (cause) {
    // Setting it aside failed. The caller sends it again.
    return { outcome: "failed", reason: errorMessage(cause) };
  }
}

function arrivals(opened: readonly (Opened | RestoreOutcome)[]): ReadonlyMap<Instant, readonly Opened[]> {
  const groups = new Map<Instant, Opened[]>();
  for (const one of opened) {
    if (!("item" in one)) continue;
    const group = groups.get(one.arrivedAt);
    if (group === undefined) groups.set(one.arrivedAt, [one]);
    else group.push(one);
  }
  return groups;
}

/** Two conflicting segments were both in the log: the second one gets its own pack. */
async function appendTogether(packer: Packer, group: readonly Opened[]): Promise<readonly PackedOutcome[]> {
  const appended = await appendPacked(
    packer,
    group.map(({ item }) => ({ item, isAlone: false })),
  );
  return Promise.all(
    appended.map(async (outcome, index) => {
      const item = group[index]?.item;
      if (outcome.outcome !== "conflict" || item === undefined) return outcome;
      const [own = outcome] = await appendPacked(packer, [{ item, isAlone: true }]);
      return own;
    }),
  );
}

function outcomeOf(packed: PackedOutcome | undefined): RestoreOutcome {
  const shard = packed !== undefined && "item" in packed ? packed.item.key.pack?.shard : undefined;
  if (shard !== undefined) return { outcome: "appended", shard };
  const cause = packed !== undefined && "cause" in packed ? errorMessage(packed.cause) : "It is in no pack.";
  return { outcome: "failed", reason: cause };
}
