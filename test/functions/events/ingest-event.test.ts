import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { onMessages } from "../../../functions/events/ingest-event.ts";
import { LogDayRegistry } from "../../../src/ingest/log-day-registry.ts";
import type { SetAside } from "../../../src/ports/records/set-aside-record.ts";
import { SenderRegistry } from "../../../src/ingest/sender-registry.ts";
import type { LargeMessages } from "../../../src/ports/large-messages.ts";
import type { LogItem } from "../../../src/ports/log.ts";
import { sealSegment } from "../../../src/segment/seal-segment.ts";
import { encodeMessageBody } from "../../../src/sqs/message-body.ts";
import { MemoryLog } from "../../support/stores/memory-log.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { queueEvent } from "../../support/aws/queue-event.ts";
import { Story } from "../../support/story/story.ts";
import { FunctionJournal } from "../../support/aws/function-journal.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY = 86_400_000;
const cluster = clusterNamed("east");

/** The function over stores in memory; `log` replaces the log, for example by one that fails. */
function ingest({ open = true, log = new MemoryLog() }: { readonly open?: boolean; readonly log?: MemoryLog } = {}) {
  const meta = new MemoryMetaStore();
  const told = new FunctionJournal();
  const kept = new Map<string, Uint8Array>();
  const largeMessages: LargeMessages = {
    keep: async (name, bytes) => void kept.set(name, bytes),
    read: async (name) => {
      if (name === "forbidden") throw new Error("Bucket aside : access denied.");
      return kept.get(name);
    },
  };
  const senders = new SenderRegistry(meta, { open, now: () => NOON });
  const dependencies = {
    count: told.count,
    logger: told.logger,
    log,
    meta,
    days: new LogDayRegistry(meta),
    senders,
    largeMessages,
    clock: { now: () => NOON },
  };
  return { told, log, meta, kept, send: (event: Parameters<typeof onMessages>[1]) => onMessages(dependencies, event) };
}

function bodyOf(jobName: string, { sealedAt = NOON, name = cluster } = {}): string {
  const story = new Story(jobName);
  story.jobCreated();
  // Names of the same letters have the same sequence, and so the same key.
  const sequence = Buffer.from(jobName).reduce((sum, letter) => sum + letter, 0);
  return encodeMessageBody(
    sealSegment({ cluster: name, sealedAt, session: "0123456789abcdef", sequence, facts: story.facts }).bytes,
  );
}

async function setAsides(meta: MemoryMetaStore): Promise<readonly SetAside[]> {
  const { records } = await meta.list("setAside", { prefix: "", limit: 100 });
  return records.map(({ value }) => JSON.parse(value) as SetAside);
}

const ALL_DONE = { batchItemFailures: [] };

describe("messages from the queue", () => {
  it("are appended to the log, and counted", async () => {
    const { send, told, log } = ingest();
    const event = queueEvent([
      { messageId: "1", body: bodyOf("render") },
      { messageId: "2", body: bodyOf("bake") },
    ]);
    expect(await send(event)).toEqual(ALL_DONE);
    expect(told.counts).toEqual({ Segments: 2, Facts: 4 });
    expect((await log.readDay({ cluster, day: "20261121" }, { limit: 10 })).items).toHaveLength(2);
  });

  it("are duplicates if they are delivered again, because the function was killed before it deleted them", async () => {
    const { send, told, log } = ingest();
    const event = queueEvent([{ messageId: "1", body: bodyOf("render") }]);
    await send(event);
    expect(await send(event)).toEqual(ALL_DONE);
    expect(told.counts).toEqual({ Segments: 1, Facts: 2, DuplicateSegments: 1 });
    expect((await log.readDay({ cluster, day: "20261121" }, { limit: 10 })).items).toHaveLength(1);
  });

  it("are one log item if 1,000 copies arrive together", async () => {
    const { send, told, log } = ingest();
    // Sealing is slower than ingestion: the segment is sealed once.
    const body = bodyOf("render");
    const messages = Array.from({ length: 1_000 }, (_, number) => ({ messageId: `${number}`, body }));
    expect(await send(queueEvent(messages))).toEqual(ALL_DONE);
    expect(told.counts).toEqual({ Segments: 1, Facts: 2, DuplicateSegments: 999 });
    expect((await log.readDay({ cluster, day: "20261121" }, { limit: 10 })).items).toHaveLength(1);
  });

  it.each([
    ["is not a segment", encodeMessageBody(Buffer.from("hello"))],
    ["is not base64", '{"hello":"world"}'],
    ["is empty", ""],
    ["is truncated", bodyOf("render").slice(0, 80)],
    ["was compressed by another program", encodeMessageBody(deflateRawSync("[1,[],[]]"))],
    [
      "is of a later release",
      encodeMessageBody(Uint8Array.of(200, ...Buffer.from(bodyOf("render"), "base64").subarray(1))),
    ],
    ["decompresses to gigabytes", encodeMessageBody(bomb())],
    ["was sealed 20 days ago", bodyOf("render", { sealedAt: NOON - 20 * DAY })],
    ["was sealed tomorrow", bodyOf("render", { sealedAt: NOON + DAY })],
  ])("are appended beside one that %s, which is set aside with its reason", async (_, body) => {
    const { send, told, meta } = ingest();
    const event = queueEvent([
      { messageId: "1", body: bodyOf("bake") },
      { messageId: "2", body },
      { messageId: "3", body: bodyOf("toast") },
    ]);
    expect(await send(event)).toEqual(ALL_DONE);
    expect(told.counts).toEqual({ Segments: 2, Facts: 4, SetAsideSegments: 1 });
    const [aside, ...more] = await setAsides(meta);
    expect(more).toEqual([]);
    expect(aside?.reason).toMatch(/^[A-Z0-9].*\.$/);
    expect(told.lines).toEqual([expect.stringContaining("A message was set aside.")]);
  });

  it("are kept in the bucket, unchanged, if they are larger than a record", async () => {
    const { send, meta, kept } = ingest();
    const bytes = Buffer.alloc(300_000, 7);
    await send(queueEvent([{ messageId: "1", body: encodeMessageBody(bytes) }]));
    const [aside] = await setAsides(meta);
    expect(aside?.message).toBeUndefined();
    expect(Buffer.from(kept.get(aside?.keptAs ?? "") ?? []).equals(bytes)).toBe(true);
  });

  it("of an unregistered principal are set aside, and appended after its registration", async () => {
    const { send, meta, told } = ingest({ open: false });
    const event = queueEvent([{ messageId: "1", body: bodyOf("render"), senderId: "AROASTRANGER:pod" }]);
    await send(event);
    expect(told.counts).toEqual({ SetAsideSegments: 1 });
    await meta.write("principal", "AROASTRANGER", { value: JSON.stringify({ cluster: "east" }), expected: 0 });
    await send(event);
    expect(told.counts).toMatchObject({ Segments: 1 });
  });

  it("of a principal that is registered for another cluster are set aside", async () => {
    const { send, meta, told } = ingest({ open: false });
    await meta.write("principal", "AROAWEST", { value: JSON.stringify({ cluster: "west" }), expected: 0 });
    await send(queueEvent([{ messageId: "1", body: bodyOf("render"), senderId: "AROAWEST:pod" }]));
    expect(told.counts).toEqual({ SetAsideSegments: 1 });
  });

  it("are conflicts if another segment has their key", async () => {
    const { send, told } = ingest();
    await send(queueEvent([{ messageId: "1", body: bodyOf("ab") }]));
    await send(queueEvent([{ messageId: "2", body: bodyOf("ba") }]));
    expect(told.counts).toMatchObject({ Segments: 1, ConflictingSegments: 1 });
    expect(told.lines[0]).toMatch(/^ERROR A segment has the key of another segment/);
  });

  it("are delivered again only if the log failed for them", async () => {
    const { send, told } = ingest({ log: new FailingLog("bake") });
    const event = queueEvent([
      { messageId: "1", body: bodyOf("render") },
      { messageId: "2", body: bodyOf("bake") },
      { messageId: "3", body: "nonsense" },
    ]);
    expect(await send(event)).toEqual({ batchItemFailures: [{ itemIdentifier: "2" }] });
    expect(told.counts).toEqual({ Segments: 1, Facts: 2, SetAsideSegments: 1 });
  });
});

describe("an unsupported event", () => {
  it.each([[{}], [{ Records: "x" }], [{ redrive: 1 }]])(
    "is rejected with the list of supported events: %j",
    async (event) => {
      await expect(ingest().send(event)).rejects.toThrow(/^Unsupported event\. Expected SQS messages, or /);
    },
  );
});

describe("messages from a redrive", () => {
  it("each have an outcome, in their order, and count for their original sender", async () => {
    const { send, meta } = ingest({ open: false, log: new FailingLog("toast") });
    await meta.write("principal", "AROAEAST", { value: JSON.stringify({ cluster: "east" }), expected: 0 });
    const redrive = ["render", "render", "toast"].map((name, index) => ({
      messageId: `${index}`,
      body: bodyOf(name),
      senderId: "AROAEAST:pod",
    }));
    const stranger = { messageId: "3", body: bodyOf("bake"), senderId: "AROASTRANGER:pod" };
    const { outcomes } = (await send({ redrive: [...redrive, stranger] })) as {
      outcomes: readonly { readonly messageId: string; readonly outcome: string; readonly reason?: string }[];
    };
    expect(outcomes.map(({ messageId }) => messageId)).toEqual(["0", "1", "2", "3"]);
    const [first, second, third, fourth] = outcomes.map(({ outcome }) => outcome);
    expect(new Set([first, second])).toEqual(new Set(["appended", "duplicate"]));
    expect([third, fourth]).toEqual(["failed", "setAside"]);
    expect(outcomes[2]?.reason).toBe("The table is down.");
    expect(outcomes[3]?.reason).toContain("AROASTRANGER is not registered");
  });
});

describe("a redriven message that is kept in the bucket", () => {
  it("is appended after its sender was registered", async () => {
    const { send, meta, kept } = ingest({ open: false });
    const senderId = "AROAEAST:pod";
    await send(queueEvent([{ messageId: "1", body: encodeMessageBody(largeSegment()), senderId }]));
    const [aside] = await setAsides(meta);
    expect(aside).toMatchObject({ keptAs: [...kept.keys()][0] });
    await meta.write("principal", "AROAEAST", { value: JSON.stringify({ cluster: "east" }), expected: 0 });
    const again = { redrive: [{ messageId: "x", keptAs: aside?.keptAs ?? "", senderId }] };
    expect(await send(again)).toEqual({ outcomes: [{ messageId: "x", outcome: "appended" }] });
  });

  it("fails alone, with the reason, if the bucket cannot read it", async () => {
    const { send } = ingest();
    const redrive = [
      { messageId: "1", keptAs: "gone" },
      { messageId: "2", body: bodyOf("render") },
      { messageId: "3", keptAs: "forbidden" },
    ];
    expect(await send({ redrive })).toEqual({
      outcomes: [
        { messageId: "1", outcome: "failed", reason: "The bucket has no message gone. It may have expired." },
        { messageId: "2", outcome: "appended" },
        { messageId: "3", outcome: "failed", reason: "Bucket aside : access denied." },
      ],
    });
  });
});

/** A segment of more than 200 KB: its labels cannot be compressed. */
function largeSegment(): Uint8Array {
  const story = new Story("large");
  for (let n = 0; n < 60; n += 1) {
    const noise = createHash("shake256", { outputLength: 4_096 }).update(`${n}`).digest("base64");
    story.jobCreated({}, { labels: { noise } });
  }
  return sealSegment({ cluster, sealedAt: NOON, session: "0123456789abcdef", sequence: 1, facts: story.facts }).bytes;
}

/** A segment whose text is five megabytes of spaces. */
function bomb(): Uint8Array {
  return Buffer.concat([Buffer.of(2), Buffer.alloc(8), deflateRawSync(Buffer.alloc(5 * 1024 * 1024, " "))]);
}

/** A log that fails for the segments of one Job. */
class FailingLog extends MemoryLog {
  readonly #poison: string;

  constructor(jobName: string) {
    super();
    this.#poison = Buffer.from(bodyOf(jobName), "base64").toString("hex");
  }

  override async append(item: LogItem) {
    if (Buffer.from(item.bytes).toString("hex") === this.#poison) throw new Error("The table is down.");
    return super.append(item);
  }
}
