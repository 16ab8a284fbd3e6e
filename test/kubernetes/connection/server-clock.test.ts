import { describe, expect, it } from "vitest";
import { ServerClock } from "../../../src/kubernetes/connection/server-clock.ts";
import { ManualClock } from "../../support/running/manual-clock.ts";

const NOW = Date.UTC(2026, 10, 21, 12);

describe("the clock of a cluster", () => {
  it.each([
    ["is the one here until it says something", undefined, 0],
    ["is the one here when both agree within two seconds", NOW + 1400, 0],
    ["is the one here when it is behind by less", NOW - 2400, 0],
    ["is believed when it is an hour ahead", NOW + 3_600_000, 3_600_500],
    ["is believed when it is an hour behind", NOW - 3_600_000, -3_599_500],
  ])("%s", (_, date, ahead) => {
    const serverClock = new ServerClock(new ManualClock(NOW));
    serverClock.learn(date);
    expect(serverClock.now() - NOW).toBe(ahead);
  });

  it("continues with the local clock", async () => {
    const clock = new ManualClock(NOW);
    const serverClock = new ServerClock(clock);
    serverClock.learn(NOW + 60_000);
    await clock.advance(5_000);
    expect(serverClock.now()).toBe(NOW + 65_500);
  });

  it("is updated with each response", () => {
    const serverClock = new ServerClock(new ManualClock(NOW));
    serverClock.learn(NOW + 60_000);
    serverClock.learn(NOW);
    expect(serverClock.now()).toBe(NOW);
  });
});
