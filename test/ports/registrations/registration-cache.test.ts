import { describe, expect, it } from "vitest";
import { MemoryRegistrations } from "../../support/aws/memory-registrations.ts";

const MINUTE = 60_000;

function cacheOf(registrations: MemoryRegistrations) {
  const clock = { now: 0 };
  return { cache: registrations.cached("senders", () => clock.now), clock };
}

describe("the registrations that a function knows", () => {
  it("are read once a minute, whoever asks, known or not", async () => {
    const registrations = MemoryRegistrations.ofSenders({ AROA1: "east" });
    const { cache, clock } = cacheOf(registrations);
    await Promise.all(["AROA1", "AROA2", "AROA3", "AROA1"].map((id) => cache.find(id)));
    clock.now = MINUTE - 1;
    expect(await cache.find("AROA4")).toBeUndefined();
    expect(registrations.lists).toBe(1);
    clock.now = MINUTE;
    await cache.find("AROA4");
    expect(registrations.lists).toBe(2);
  });

  it("are read before the minute is over where a command asks for it", async () => {
    const registrations = new MemoryRegistrations();
    const { cache } = cacheOf(registrations);
    await cache.find("AROA1");
    registrations.put("senders", "AROA1", { cluster: "east" });
    cache.forget();
    expect(await cache.find("AROA1")).toMatchObject({ principalId: "AROA1" });
  });

  it("are used for a quarter of an hour while they cannot be read, with one attempt a minute", async () => {
    const registrations = MemoryRegistrations.ofSenders({ AROA1: "east" });
    const { cache, clock } = cacheOf(registrations);
    await cache.find("AROA1");
    registrations.outage = new Error("Parameter Store is down.");
    clock.now = 2 * MINUTE;
    expect(await cache.find("AROA1")).toBeDefined();
    expect(await cache.find("AROA1")).toBeDefined();
    expect(registrations.lists).toBe(2);
    clock.now = 15 * MINUTE;
    await expect(cache.find("AROA1")).rejects.toThrow("Parameter Store is down.");
  });

  it("are read again after two seconds if the first attempt failed, however many ask meanwhile", async () => {
    const registrations = MemoryRegistrations.ofSenders({ AROA1: "east" });
    registrations.outage = new Error("Parameter Store is down.");
    const { cache, clock } = cacheOf(registrations);
    await expect(cache.find("AROA1")).rejects.toThrow("Parameter Store is down.");
    clock.now = 1_999;
    await expect(cache.find("AROA2")).rejects.toThrow("Parameter Store is down.");
    expect(registrations.lists).toBe(1);
    registrations.outage = undefined;
    clock.now = 2_000;
    expect(await cache.find("AROA1")).toBeDefined();
  });
});
