import { describe, expect, it } from "vitest";
import { reserveSlot } from "../../../src/notify/outbox/rate-window.ts";
import { HOOK } from "../../support/notify/notified-tracker.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";

const RETRY = { attempts: 10, pause: async () => {} };

describe("the rate limit of a receiver", () => {
  it("needs no record where there is none", async () => {
    const meta = new MemoryMetaStore();
    expect(await reserveSlot({ meta, retry: RETRY }, HOOK, 0)).toEqual({ outcome: "free" });
    expect(meta.contents()).toEqual([]);
  });

  it("is never exceeded within its time, whenever messages are sent", async () => {
    const receiver = { ...HOOK, rateLimit: { max: 5, perMillis: 60_000 } };
    const meta = new MemoryMetaStore();
    const sent: number[] = [];
    for (let now = 0; now < 600_000; now += 701) {
      if ((await reserveSlot({ meta, retry: RETRY }, receiver, now)).outcome === "free") sent.push(now);
    }
    const mostWithin = Math.max(...sent.map((from) => sent.filter((at) => at >= from && at < from + 60_000).length));
    expect(mostWithin).toBe(5);
    // Ten minutes: nearly five messages in each of them.
    expect(sent.length).toBeGreaterThanOrEqual(45);
  });

  it("says when to ask again", async () => {
    const receiver = { ...HOOK, rateLimit: { max: 1, perMillis: 60_000 } };
    const ports = { meta: new MemoryMetaStore(), retry: RETRY };
    await reserveSlot(ports, receiver, 500);
    const slot = await reserveSlot(ports, receiver, 30_000);
    expect(slot).toEqual({ outcome: "limited", until: 61_000 });
    expect(await reserveSlot(ports, receiver, 61_000)).toEqual({ outcome: "free" });
  });

  it("is shared by processes that send at the same time", async () => {
    const receiver = { ...HOOK, rateLimit: { max: 3, perMillis: 60_000 } };
    const ports = { meta: new MemoryMetaStore(), retry: RETRY };
    const slots = await Promise.all(Array.from({ length: 8 }, () => reserveSlot(ports, receiver, 0)));
    expect(slots.filter(({ outcome }) => outcome === "free")).toHaveLength(3);
  });
});
