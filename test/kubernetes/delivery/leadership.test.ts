import { describe, expect, it } from "vitest";
import { Leadership } from "../../../src/kubernetes/delivery/leadership.ts";
import { ManualClock } from "../../support/running/manual-clock.ts";
import { MemoryLease } from "../../support/stores/memory-lease.ts";

/** A replica, and what it was told. */
function replica(identity: string, store: MemoryLease, clock = new ManualClock()) {
  const told: string[] = [];
  let position: string | undefined;
  const leadership = new Leadership({
    store,
    clock,
    identity,
    position: () => position,
    onLead: (from) => told.push(`lead from ${from}`),
    onFollow: (at) => told.push(`follow at ${at}`),
    onLost: (reason) => told.push(`lost: ${reason}`),
    onUnknown: () => told.push("unknown"),
  });
  const reach = (at: string) => {
    position = at;
  };
  /** Asks for the lease, and goes on for so many milliseconds. */
  const begin = (milliseconds = 0) => {
    leadership.start();
    return clock.advance(milliseconds);
  };
  return { leadership, clock, told, reach, begin };
}

/** Replica `a` leads; `b` has not begun. */
async function led() {
  const store = new MemoryLease();
  const [a, b] = [replica("a", store), replica("b", store)];
  await a.begin();
  return { store, a, b };
}

describe("leadership", () => {
  it("belongs to the first replica, and the next one follows", async () => {
    const { store, a, b } = await led();
    await b.begin();
    expect(a.told).toEqual(["lead from undefined"]);
    expect(b.told).toEqual(["follow at undefined"]);
    expect(store.stored).toMatchObject({ holder: "a", durationSeconds: 8, transitions: 0 });
  });

  it("stores the holder's position with each renewal, for the followers", async () => {
    const { a, b } = await led();
    a.reach("17");
    await a.clock.advance(2000);
    await b.begin();
    expect(b.told).toEqual(["follow at 17"]);
  });

  it("passes on within ten seconds when the holder is killed, with the position that it left", async () => {
    const { store, a, b } = await led();
    a.reach("17");
    await a.clock.advance(2000);
    await b.begin(7900);
    expect(b.told.filter((said) => said.startsWith("lead"))).toEqual([]);
    await b.clock.advance(2100);
    expect(b.told.at(-1)).toBe("lead from 17");
    expect(store.stored).toMatchObject({ holder: "b", transitions: 1, position: "17" });
  });

  it("does not pass on while the holder renews, whatever the two clocks say", async () => {
    const store = new MemoryLease();
    const a = replica("a", store, new ManualClock(Date.UTC(2020, 0, 1)));
    const b = replica("b", store, new ManualClock(Date.UTC(2030, 0, 1)));
    a.leadership.start();
    b.leadership.start();
    for (let second = 0; second < 60; second += 1) {
      await a.clock.advance(1000);
      await b.clock.advance(1000);
    }
    expect(a.leadership.isHeld).toBe(true);
    expect(b.leadership.isHeld).toBe(false);
  });

  it("ends before another may take it when it cannot be renewed", async () => {
    const { store, a } = await led();
    store.isAway = true;
    await a.clock.advance(5900);
    expect(a.leadership.isHeld).toBe(true);
    await a.clock.advance(100);
    expect(a.leadership.isHeld).toBe(false);
    expect(a.told).toContain("lost: The lease could not be renewed for 6 s.");
    store.isAway = false;
    await a.clock.advance(2000);
    expect(a.told.at(-1)).toBe("lead from undefined");
  });

  it("expires relative to the start of the last renewal, not to its response", async () => {
    const { store, a } = await led();
    const slow = Promise.withResolvers<void>();
    store.patience = slow.promise;
    await a.clock.advance(5000);
    slow.resolve();
    await a.clock.advance(0);
    store.isAway = true;
    await a.clock.advance(2900);
    expect(a.leadership.isHeld).toBe(true);
    await a.clock.advance(100);
    expect(a.leadership.isHeld).toBe(false);
  });

  it("passes to another replica only after the duration that its holder set", async () => {
    const { store, b } = await led();
    if (store.stored !== undefined) store.stored = { ...store.stored, durationSeconds: 30 };
    await b.begin(29_900);
    expect(b.leadership.isHeld).toBe(false);
    await b.clock.advance(1100);
    expect(b.leadership.isHeld).toBe(true);
  });

  it("was acquired when the holder began, however often it is renewed", async () => {
    const { store, a } = await led();
    const acquiredAt = a.clock.now();
    await a.clock.advance(4000);
    expect(store.stored).toMatchObject({ acquiredAt, renewedAt: acquiredAt + 4000, transitions: 0 });
  });

  it("ends at once for a holder that was stopped and finds another in its place", async () => {
    const { a, b } = await led();
    await b.begin(12_000);
    expect(b.leadership.isHeld).toBe(true);
    await a.clock.freeze(12_000);
    await a.clock.advance(0);
    expect(a.leadership.isHeld).toBe(false);
    expect(a.told).toContain("follow at undefined");
  });

  it("is given back when the holder stops, so that the next one need not wait", async () => {
    const { store, a, b } = await led();
    await b.begin();
    a.reach("99");
    await a.leadership.stop();
    expect(store.stored).toMatchObject({ holder: "", position: "99" });
    await b.clock.advance(2000);
    expect(b.told.at(-1)).toBe("lead from 99");
  });

  it("keeps the previous leader's position until the new leader has its own", async () => {
    const { store, a, b } = await led();
    a.reach("17");
    await a.leadership.stop();
    await b.begin(4000);
    expect(store.stored).toMatchObject({ holder: "b", position: "17" });
  });

  it("keeps it too where the new holder has one from a time when it led before", async () => {
    const { store, a, b } = await led();
    a.reach("17");
    await a.clock.advance(2000);
    b.reach("3");
    await b.begin(8000);
    expect(store.stored).toMatchObject({ holder: "b", position: "17" });
  });

  it("is one's alone where two ask at the same moment", async () => {
    const store = new MemoryLease();
    const clock = new ManualClock();
    const replicas = ["a", "b", "c"].map((name) => replica(name, store, clock));
    for (const { leadership } of replicas) leadership.start();
    await clock.advance(0);
    expect(replicas.filter(({ leadership }) => leadership.isHeld)).toHaveLength(1);
  });

  it("has no holder before the lease was read, and can be stopped then", async () => {
    const { leadership, told, clock } = replica("a", new MemoryLease());
    expect(leadership.holder).toBeUndefined();
    await leadership.stop();
    expect(told).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it("is given up at once where a renewal took longer than the lease lasts for its holder", async () => {
    const { store, a } = await led();
    const slow = Promise.withResolvers<void>();
    store.patience = slow.promise;
    const b = replica("b", store);
    b.leadership.start();
    await a.clock.advance(2000);
    await a.clock.advance(4000);
    expect(a.told.at(-1)).toBe("lost: The lease could not be renewed for 6 s.");
    await a.clock.advance(2000);
    slow.resolve();
    await a.clock.advance(0);
    expect(a.told.slice(1)).toEqual([
      "lost: The lease could not be renewed for 6 s.",
      "lead from undefined",
      "lost: The lease could not be renewed for 6 s.",
    ]);
    await b.leadership.stop();
  });
});
