import { describe, expect, it } from "vitest";
import { SetAsideQuota, type SetAsideQuotaOptions } from "../../src/log/set-aside-quota.ts";
import { readRecord } from "../../src/ports/records/record-codec.ts";
import { setAsideHourRecord } from "../../src/ports/records/set-aside-hour-record.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";

const HALF_PAST = Date.UTC(2026, 10, 21, 12, 30);
const HOUR = 3_600_000;
const KIB = 1_024;
const EAST = "AROAEAST000000000001:pod";

/** Instances of the function that share one table. At most 100 KiB per sender and hour, reserved in parts of 20. */
function openQuota(options: Partial<SetAsideQuotaOptions> = {}) {
  const meta = new MemoryMetaStore();
  const dropped: string[] = [];
  let now = HALF_PAST;
  const instance = () =>
    new SetAsideQuota(meta, {
      now: () => now,
      onDropped: (sender) => dropped.push(sender),
      maxBytes: 100 * KIB,
      leaseBytes: 20 * KIB,
      ...options,
    });
  return { meta, dropped, instance, pass: (millis: number) => (now += millis) };
}

/** How many of `count` messages of this size may be stored. */
async function stored(quota: SetAsideQuota, count: number, bytes: number, senderId: string | undefined = EAST) {
  const taken = await Promise.all(Array.from({ length: count }, () => quota.take(senderId, bytes)));
  return taken.filter(Boolean).length;
}

describe("what is set aside of one sender in an hour", () => {
  it("is at most the limit, and the rest is counted", async () => {
    const { instance, dropped } = openQuota();
    expect(await stored(instance(), 12, 10 * KIB)).toBe(10);
    expect(dropped).toEqual(["AROAEAST000000000001", "AROAEAST000000000001"]);
  });

  it("is bounded over all instances and sessions together", async () => {
    const { instance } = openQuota();
    const [one, other] = [instance(), instance()];
    const counts = [
      await stored(one, 6, 10 * KIB, "AROAEAST000000000001:a"),
      await stored(other, 6, 10 * KIB, "AROAEAST000000000001:b"),
    ];
    expect(counts).toEqual([6, 4]);
  });

  it("is bounded if instances reserve at the same time", async () => {
    const { instance, meta } = openQuota();
    const counts = await Promise.all([instance(), instance(), instance()].map((quota) => stored(quota, 5, 10 * KIB)));
    const { records } = await meta.list("setAsideHour", { prefix: "", limit: 9 });
    expect(records.map((record) => setAsideHourRecord.decode(record))).toMatchObject([{ bytes: 100 * KIB }]);
    // What one instance has reserved, others cannot use.
    const sum = counts.reduce((total, count) => total + count, 0);
    expect([8, 9, 10]).toContain(sum);
  });

  it("is not affected by other senders", async () => {
    const { instance } = openQuota();
    const quota = instance();
    await stored(quota, 12, 10 * KIB);
    expect(await stored(quota, 1, 10 * KIB, "AROAWEST000000000001:pod")).toBe(1);
    // SQS did not report the sender of these.
    expect(await quota.take(undefined, 100 * KIB)).toBe(true);
    expect(await quota.take(undefined, 10 * KIB)).toBe(false);
  });

  it("begins again with the next hour", async () => {
    const { instance, pass } = openQuota();
    const quota = instance();
    await stored(quota, 12, 10 * KIB);
    pass(HOUR / 2 - 1);
    expect(await stored(quota, 1, 10 * KIB)).toBe(0);
    pass(1);
    expect(await stored(quota, 1, 10 * KIB)).toBe(1);
  });

  it("counts a small message as 4 KiB, because its record costs as much", async () => {
    const { instance } = openQuota();
    expect(await stored(instance(), 30, 1)).toBe(25);
  });

  it("includes a message that is larger than what is reserved at once", async () => {
    const { instance } = openQuota();
    expect(await stored(instance(), 1, 50 * KIB)).toBe(1);
    expect(await stored(instance(), 2, 50 * KIB)).toBe(1);
  });

  it("is recorded with the time since when messages were dropped", async () => {
    const { instance, meta, pass } = openQuota();
    const read = async () => (await readRecord(meta, setAsideHourRecord, "2026-11-21T12#AROAEAST000000000001"))?.value;
    const quota = instance();
    await stored(quota, 1, 10 * KIB);
    expect(await read()).toEqual({ bytes: 20 * KIB });
    await stored(quota, 10, 10 * KIB);
    pass(1_000);
    await stored(instance(), 1, 10 * KIB);
    expect(await read()).toEqual({ bytes: 100 * KIB, droppedSince: HALF_PAST });
  });

  it("is 256 MiB by default, reserved in parts of 4 MiB", async () => {
    const meta = new MemoryMetaStore();
    const quota = new SetAsideQuota(meta, { now: () => HALF_PAST, onDropped: () => undefined });
    expect(await stored(quota, 1, 1)).toBe(1);
    const { records } = await meta.list("setAsideHour", { prefix: "", limit: 9 });
    expect(records.map(({ value }) => value)).toEqual(['{"bytes":4194304}']);
    expect(await stored(quota, 300, 1_024 * KIB)).toBe(255);
  });
});
