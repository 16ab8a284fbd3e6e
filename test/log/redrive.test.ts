import { describe, expect, it } from "vitest";
import { LogDayRegistry } from "../../src/log/log-day-registry.ts";
import { ingestMessages } from "../../src/log/ingest-messages.ts";
import type { Principal } from "../../src/log/principals.ts";
import { type IngestAgain, redriveSetAside } from "../../src/log/redrive.ts";
import type { SetAside } from "../../src/ports/records/set-aside-record.ts";
import { SenderRegistry } from "../../src/log/sender-registry.ts";
import { sealSegment } from "../../src/segment/seal-segment.ts";
import { MemoryLog } from "../support/stores/memory-log.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";
import { MemoryRegistrations } from "../support/aws/memory-registrations.ts";
import { clusterNamed } from "../support/facts/names.ts";
import { Story } from "../support/story/story.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
type Sender = Pick<Principal, "principalId" | "cluster">;
const EAST: Sender = { principalId: "AROAEAST000000000001", cluster: clusterNamed("east") };
const WEST: Sender = { principalId: "AROAWEST000000000001", cluster: clusterNamed("west") };

function bodyOf(job: string, cluster = "east"): string {
  const story = new Story(job);
  story.jobCreated();
  const name = { cluster: clusterNamed(cluster), sealedAt: NOON, session: "0123456789abcdef", sequence: job.length };
  return Buffer.from(sealSegment({ ...name, facts: story.facts }).bytes).toString("base64");
}

/** An ingest function over stores in memory, and the calls that were made of it. */
function ingestOver(meta: MemoryMetaStore) {
  const log = new MemoryLog();
  const registrations = new MemoryRegistrations();
  const senders = new SenderRegistry({
    principals: registrations.cached("senders"),
    meta,
    open: false,
    now: () => NOON,
  });
  const register = ({ principalId, cluster }: Sender) => registrations.put("senders", principalId, { cluster });
  const calls: number[] = [];
  const large = new Map<string, Uint8Array>();
  const ingestAgain: IngestAgain = async (messages) => {
    calls.push(messages.length);
    senders.forget();
    const queued = messages.map((message) => ({
      id: message.messageId,
      bytes: "body" in message ? Buffer.from(message.body, "base64") : (large.get(message.keptAs) ?? Buffer.of()),
      ...(message.senderId !== undefined && { senderId: message.senderId }),
    }));
    const outcomes = await ingestMessages({ log, meta, days: new LogDayRegistry(meta), senders }, queued, NOON);
    return outcomes.map((outcome) => {
      if ("ingested" in outcome) return { messageId: outcome.id, ...outcome.ingested };
      return { messageId: outcome.id, outcome: "failed", reason: JSON.stringify(outcome) };
    });
  };
  return { log, ingestAgain, calls, large, register };
}

async function setAsides(meta: MemoryMetaStore): Promise<readonly SetAside[]> {
  const { records } = await meta.list("setAside", { prefix: "", limit: 100 });
  return records.map(({ value }) => JSON.parse(value) as SetAside);
}

describe("messages that were set aside", () => {
  it("are read ten at a time, because a record has up to 300 KB", async () => {
    const meta = new MemoryMetaStore();
    const { ingestAgain } = ingestOver(meta);
    const limits: number[] = [];
    const list: MemoryMetaStore["list"] = (kind, options) => (limits.push(options.limit), meta.list(kind, options));
    await redriveSetAside(Object.assign(Object.create(meta) as MemoryMetaStore, { list }), ingestAgain, NOON);
    expect(limits).toEqual([10]);
  });

  it("fail as a whole where one cannot be settled, so that the operator tries again", async () => {
    const meta = new MemoryMetaStore();
    const { ingestAgain, register } = ingestOver(meta);
    await ingestAgain([{ messageId: "1", body: bodyOf("render"), senderId: EAST.principalId }]);
    register(EAST);
    const broken = Object.assign(Object.create(meta) as MemoryMetaStore, {
      list: meta.list.bind(meta),
      write: async () => Promise.reject(new Error("The table is throttled.")),
    });
    await expect(redriveSetAside(broken, ingestAgain, NOON)).rejects.toThrow("The table is throttled.");
  });

  it("are appended and settled after their sender was registered", async () => {
    const meta = new MemoryMetaStore();
    const { ingestAgain, log, register } = ingestOver(meta);
    await ingestAgain([{ messageId: "1", body: bodyOf("render"), senderId: `${EAST.principalId}:x` }]);
    expect(await redriveSetAside(meta, ingestAgain, NOON)).toMatchObject({ appended: 0, setAside: 1 });
    register(EAST);
    expect(await redriveSetAside(meta, ingestAgain, NOON)).toMatchObject({ appended: 1, setAside: 0 });
    expect((await log.readDay({ cluster: EAST.cluster, day: "20261121" }, { limit: 9 })).items).toHaveLength(1);
    const [aside] = await setAsides(meta);
    expect(aside).toMatchObject({ settledAt: NOON });
    expect(aside).not.toHaveProperty("message");
    expect(await redriveSetAside(meta, ingestAgain, NOON)).toMatchObject({ appended: 0, duplicate: 0, setAside: 0 });
  });

  it("are settled if the log has them already, and not sent again", async () => {
    const meta = new MemoryMetaStore();
    const { ingestAgain, calls, register } = ingestOver(meta);
    const message = { body: bodyOf("render"), senderId: EAST.principalId };
    await ingestAgain([{ messageId: "1", ...message }]);
    register(EAST);
    await ingestAgain([{ messageId: "1", ...message }]);
    expect(await redriveSetAside(meta, ingestAgain, NOON)).toMatchObject({ appended: 0, duplicate: 1 });
    expect(await setAsides(meta)).toMatchObject([{ settledAt: NOON }]);
    calls.length = 0;
    expect(await redriveSetAside(meta, ingestAgain, NOON)).toMatchObject({ duplicate: 0, notKept: 0 });
    expect(calls).toEqual([]);
  });

  it("are counted by their reasons if they fail again", async () => {
    const meta = new MemoryMetaStore();
    const { ingestAgain } = ingestOver(meta);
    for (const job of ["render", "report", "import"]) {
      await ingestAgain([{ messageId: job, body: bodyOf(job), senderId: EAST.principalId }]);
    }
    const { reasons } = await redriveSetAside(meta, ingestAgain, NOON);
    const [[reason, times] = [], ...others] = Object.entries(reasons);
    expect(reason).toContain("Principal AROAEAST000000000001 is not registered");
    expect([times, others]).toEqual([3, []]);
  });

  it("are read from the bucket on their 90th day", async () => {
    const meta = new MemoryMetaStore();
    const { ingestAgain, large, register } = ingestOver(meta);
    register(EAST);
    large.set("abc", Buffer.from(bodyOf("render"), "base64"));
    const value = JSON.stringify({
      reason: "Large.",
      setAsideAt: NOON - 90 * 86_400_000,
      bytes: 250_000,
      senderId: EAST.principalId,
      keptAs: "abc",
    });
    await meta.write("setAside", "abc", { value, expected: 0 });
    expect(await redriveSetAside(meta, ingestAgain, NOON)).toMatchObject({ appended: 1, notKept: 0 });
  });

  it("of an unregistered sender stay if another sender is registered", async () => {
    const meta = new MemoryMetaStore();
    const { ingestAgain, register } = ingestOver(meta);
    await ingestAgain([{ messageId: "1", body: bodyOf("render"), senderId: WEST.principalId }]);
    register(EAST);
    register(WEST);
    expect(await redriveSetAside(meta, ingestAgain, NOON)).toMatchObject({ appended: 0, setAside: 1 });
  });

  it("are all processed, including damaged ones", async () => {
    const meta = new MemoryMetaStore();
    const { ingestAgain, register } = ingestOver(meta);
    const senderId = EAST.principalId;
    for (let index = 1; index <= 25; index += 1) {
      const body = index % 2 === 0 ? bodyOf("a".repeat(index)) : Buffer.from(`damaged ${index}`).toString("base64");
      await ingestAgain([{ messageId: "1", body, senderId }]);
    }
    register(EAST);
    expect(await redriveSetAside(meta, ingestAgain, NOON)).toMatchObject({ appended: 12, setAside: 13 });
  });

  it("are read from the bucket if they are larger than a record, and settled", async () => {
    const meta = new MemoryMetaStore();
    const { ingestAgain, large, log, register } = ingestOver(meta);
    register(EAST);
    large.set("abc#AROAEAST", Buffer.from(bodyOf("render"), "base64"));
    const record = { reason: "Large.", setAsideAt: NOON, bytes: 250_000, senderId: EAST.principalId };
    await meta.write("setAside", "abc#AROAEAST", {
      value: JSON.stringify({ ...record, keptAs: "abc#AROAEAST" }),
      expected: 0,
    });
    expect(await redriveSetAside(meta, ingestAgain, NOON)).toMatchObject({ appended: 1, notKept: 0 });
    expect((await log.readDay({ cluster: EAST.cluster, day: "20261121" }, { limit: 9 })).items).toHaveLength(1);
    expect(await setAsides(meta)).toEqual([{ ...record, settledAt: NOON }]);
  });

  it.each([
    ["not in the bucket", {}],
    ["expired from the bucket after 90 days", { keptAs: "abc" }],
  ])("are counted as lost if they are %s", async (_, kept) => {
    const meta = new MemoryMetaStore();
    const { ingestAgain, calls } = ingestOver(meta);
    const setAsideAt = NOON - 90 * 86_400_000 - 1;
    await meta.write("setAside", "x", {
      value: JSON.stringify({ reason: "Large.", setAsideAt, bytes: 250_000, ...kept }),
      expected: 0,
    });
    expect(await redriveSetAside(meta, ingestAgain, NOON)).toMatchObject({ notKept: 1, failed: 0 });
    expect(calls).toEqual([]);
  });
});
