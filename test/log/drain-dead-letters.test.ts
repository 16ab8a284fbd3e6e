import { describe, expect, it } from "vitest";
import { drainDeadLetters } from "../../src/log/drain-dead-letters.ts";

interface Feed {
  /** The looks after which the operator stops. @default never */
  readonly stopsAfter?: number;
  /** Lambda's responses to the changes, in order. @default changed */
  readonly answers?: readonly ("changed" | "busy")[];
}

/** A queue with these depths, look by look; the last one stays. */
function feed(depths: readonly number[], { stopsAfter = Infinity, answers = [] }: Feed = {}) {
  const log: string[] = [];
  let look = 0;
  let change = 0;
  return {
    log,
    looks: () => look,
    isStopped: () => look >= stopsAfter,
    enable: async (isEnabled: boolean) => {
      log.push(isEnabled ? "on" : "off");
      return answers[change++] ?? "changed";
    },
    depth: async () => depths[Math.min(look++, depths.length - 1)] ?? 0,
    pause: async () => undefined,
  };
}

describe("dead letters", () => {
  it("are fed to the function until the queue is empty, and no longer", async () => {
    const queue = feed([30, 20, 5, 0]);
    expect(await drainDeadLetters(queue)).toEqual({ taken: 30, left: 0 });
    expect(queue.log).toEqual(["on", "off"]);
  });

  it("are not fed if there are none, and the feed that a killed run left on stops", async () => {
    const queue = feed([0]);
    expect(await drainDeadLetters(queue)).toEqual({ taken: 0, left: 0 });
    expect(queue.log).toEqual(["off"]);
  });

  it("stay in the queue if the operator stops, and the feed stops too", async () => {
    const queue = feed([30, 20, 10], { stopsAfter: 2 });
    expect(await drainDeadLetters(queue)).toEqual({ taken: 10, left: 20 });
    expect(queue.log).toEqual(["on", "off"]);
    const before = feed([30], { stopsAfter: 0 });
    expect(await drainDeadLetters(before)).toEqual({ taken: 0, left: 30 });
    expect(before.log).toEqual(["off"]);
  });

  it("are no longer fed at the end, also if Lambda is still starting the feed", async () => {
    const queue = feed([30, 20], { stopsAfter: 2, answers: ["busy", "changed", "busy", "busy"] });
    await drainDeadLetters(queue);
    expect(queue.log).toEqual(["on", "on", "off", "off", "off"]);
  });

  it("are reported if the feed cannot be stopped", async () => {
    const queue = feed([0], { answers: Array.from({ length: 60 }, () => "busy" as const) });
    await expect(drainDeadLetters(queue)).rejects.toThrow("Cannot disable the redrive mapping");
    expect(queue.log).toHaveLength(60);
  });

  it("are awaited although SQS counts none for a moment", async () => {
    const queue = feed([10, 0, 7, 0, 0, 4, 0, 0, 0]);
    expect(await drainDeadLetters(queue)).toEqual({ taken: 10, left: 0 });
    expect(queue.looks()).toBe(9);
  });

  it("stay in the queue if they fail again, and the feed stops", async () => {
    const queue = feed([10, 3]);
    expect(await drainDeadLetters(queue)).toEqual({ taken: 7, left: 3 });
    expect(queue.log).toEqual(["on", "off"]);
  });

  it("are no longer fed if the queue cannot be read", async () => {
    const queue = feed([10]);
    const failing = { ...queue, pause: () => Promise.reject(new Error("SQS is down.")) };
    await expect(drainDeadLetters(failing)).rejects.toThrow("SQS is down.");
    expect(queue.log).toEqual(["on", "off"]);
  });
});
