import type { SQSBatchResponse } from "aws-lambda";
import { describe, expect, it } from "vitest";
import { onMessages } from "../../../functions/events/ingest-event.ts";
import { LogDayRegistry } from "../../../src/log/log-day-registry.ts";
import { SenderRegistry } from "../../../src/log/sender-registry.ts";
import { sealSegment } from "../../../src/segment/seal-segment.ts";
import { encodeMessageBody } from "../../../src/adapters/sqs/message-body.ts";
import { FunctionJournal } from "../../support/aws/function-journal.ts";
import { VirtualQueue } from "../../support/aws/virtual-queue.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { MemoryLog } from "../../support/stores/memory-log.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { MemoryRegistrations } from "../../support/aws/memory-registrations.ts";
import { Story } from "../../support/story/story.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
/** Batches of ten that ingest takes at once: half of the default of `ingestConcurrency`. */
const LANES = 5;
/** One second for each batch: ingest takes 50 messages a second. */
const CAPACITY = LANES * 10;
const QUIET = Array.from({ length: 10 }, (_, n) => `quiet-${n}`);
/** The flood lasts from second 3 to second 12. */
const [FLOOD_BEGIN, SECONDS] = [3, 12];
const FLOOD = (SECONDS - FLOOD_BEGIN) * 2 * CAPACITY;

/** The real function over stores in memory, behind a queue in virtual time. */
function ingestBehindQueue(isFair: boolean) {
  const meta = new MemoryMetaStore();
  const told = new FunctionJournal();
  const dependencies = {
    count: told.count,
    logger: told.logger,
    log: new MemoryLog(),
    meta,
    days: new LogDayRegistry(meta),
    senders: new SenderRegistry({
      principals: new MemoryRegistrations().cached("senders"),
      meta,
      open: true,
      now: () => NOON,
    }),
    clock: { now: () => NOON },
  };
  const queue = new VirtualQueue({
    visibilitySeconds: 60,
    maxReceives: 1_000,
    lanes: LANES,
    batchSeconds: () => 1,
    handle: async (event) => (await onMessages(dependencies, event)) as SQSBatchResponse,
    isFair,
  });
  return { queue, told };
}

interface Flood {
  readonly isFair: boolean;
  readonly groupOf?: (sequence: number) => string;
  /** @default segments of cluster "noisy" */
  readonly bodyOf?: (sequence: number) => string;
}

/**
 * Ten clusters send one message a second each. After three seconds, one more sends twice what ingest takes. Returns the
 * most batches that a message of the ten waited for, and the most seconds.
 */
async function delayOfQuiet({ isFair, groupOf = () => "noisy", bodyOf = (n) => bodyIn("noisy", n) }: Flood) {
  const { queue, told } = ingestBehindQueue(isFair);
  let sequence = 0;
  for (; queue.now < SECONDS || queue.size > 0; await queue.tick()) {
    if (queue.now >= SECONDS) continue;
    for (let sent = 0; queue.now >= FLOOD_BEGIN && sent < 2 * CAPACITY; sent += 1) {
      sequence += 1;
      queue.send(`noisy ${sequence}`, bodyOf(sequence), groupOf(sequence));
    }
    for (const name of QUIET) queue.send(`${name} ${queue.now}`, bodyIn(name, queue.now), name);
  }
  return {
    turns: mostOfQuiet(queue.turns),
    seconds: mostOfQuiet(queue.delays),
    counts: told.counts,
    deadLetters: queue.deadLetters,
  };
}

function mostOfQuiet(found: ReadonlyMap<string, number>): number {
  return Math.max(...[...found].filter(([id]) => id.startsWith("quiet")).map(([, value]) => value));
}

const FACTS = (() => {
  const story = new Story("job");
  story.jobCreated();
  return story.facts;
})();

function bodyIn(name: string, sequence: number): string {
  const named = { cluster: clusterNamed(name), sealedAt: NOON, session: "0123456789abcdef", sequence };
  return encodeMessageBody(sealSegment({ ...named, facts: FACTS }).bytes);
}

describe("a cluster that sends twice what ingest takes, and a hundred times its share", () => {
  it("delays the messages of others by at most one round of batches", async () => {
    const { turns, seconds, counts, deadLetters } = await delayOfQuiet({ isFair: true });
    expect(turns).toBeLessThanOrEqual(LANES);
    expect(seconds).toBeLessThanOrEqual(1);
    // Nothing is lost, of the noisy one neither.
    expect(counts).toMatchObject({ Segments: FLOOD + SECONDS * QUIET.length });
    expect(deadLetters).toEqual([]);
  });

  it("would delay them by its whole backlog in a queue that is not fair", async () => {
    const { turns } = await delayOfQuiet({ isFair: false });
    expect(turns).toBeGreaterThan(8 * LANES);
  });
});

describe("a sender that floods with what is no segment", () => {
  it("delays others as little, because what is set aside takes a batch no longer", async () => {
    const { turns, counts } = await delayOfQuiet({ isFair: true, bodyOf: (n) => `no segment ${n}` });
    expect(turns).toBeLessThanOrEqual(LANES);
    expect(counts).toMatchObject({ SetAsideSegments: FLOOD });
  });
});

describe("a sender that names another message group for each message", () => {
  it("is not noisy for SQS, and delays others by its backlog: it must lose its right to send", async () => {
    const { turns } = await delayOfQuiet({ isFair: true, groupOf: (n) => `group-${n}` });
    expect(turns).toBeGreaterThan(8 * LANES);
  });
});
