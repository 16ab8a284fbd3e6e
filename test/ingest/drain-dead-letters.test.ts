import { describe, expect, it } from "vitest";
import { drainDeadLetters } from "../../src/ingest/drain-dead-letters.ts";

/** A queue with these depths, look by look; the last one stays. */
function feed(...depths: readonly number[]) {
  const log: string[] = [];
  let look = 0;
  return {
    log,
    looks: () => look,
    enable: async (isEnabled: boolean) => void log.push(isEnabled ? "on" : "off"),
    depth: async () => depths[Math.min(look++, depths.length - 1)] ?? 0,
    pause: async () => undefined,
  };
}

describe("dead letters", () => {
  it("are fed to the function until the queue is empty, and no longer", async () => {
    const queue = feed(30, 20, 5, 0);
    expect(await drainDeadLetters(queue)).toEqual({ taken: 30, left: 0 });
    expect(queue.log).toEqual(["on", "off"]);
  });

  it("are not fed if there are none", async () => {
    const queue = feed(0);
    expect(await drainDeadLetters(queue)).toEqual({ taken: 0, left: 0 });
    expect(queue.log).toEqual([]);
  });

  it("are awaited although SQS counts none for a moment", async () => {
    const queue = feed(10, 0, 7, 0, 0, 4, 0, 0, 0);
    expect(await drainDeadLetters(queue)).toEqual({ taken: 10, left: 0 });
    expect(queue.looks()).toBe(9);
  });

  it("stay in the queue if they fail again, and the feed stops", async () => {
    const queue = feed(10, 3);
    expect(await drainDeadLetters(queue)).toEqual({ taken: 7, left: 3 });
    expect(queue.log).toEqual(["on", "off"]);
  });

  it("are no longer fed if the queue cannot be read", async () => {
    const queue = feed(10);
    const failing = { ...queue, pause: () => Promise.reject(new Error("SQS is down.")) };
    await expect(drainDeadLetters(failing)).rejects.toThrow("SQS is down.");
    expect(queue.log).toEqual(["on", "off"]);
  });
});
