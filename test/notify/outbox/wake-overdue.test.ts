import { describe, expect, it } from "vitest";
import { wakeOverdue } from "../../../src/notify/outbox/wake-overdue.ts";
import type { WakeUp } from "../../../src/ports/wake-ups.ts";
import { failingJob } from "../../support/notify/failing-job.ts";
import { NotifiedStage } from "../../support/notify/notified-stage.ts";

const HOUR = 3_600_000;

/** A stage whose wake-ups were lost. */
async function lost() {
  const stage = new NotifiedStage();
  await stage.receiveAll(failingJob());
  await stage.notify();
  stage.queued.splice(0);
  const wakeUps = { send: async (some: readonly WakeUp[]) => void stage.queued.push(...some) };
  return { stage, wake: () => wakeOverdue({ meta: stage.meta, wakeUps }, stage.now) };
}

describe("a message whose wake-up was lost", () => {
  it("is woken when it is due for more than an hour, and is sent once", async () => {
    const { stage, wake } = await lost();
    stage.now += HOUR;
    expect(await wake()).toBe(0);
    stage.now += 1;
    expect(await wake()).toBe(1);
    await stage.deliver();
    expect(stage.effects()).toEqual(["opened charge/1/failures/hook"]);
    stage.now += HOUR * 2;
    expect(await wake()).toBe(0);
  });

  it("is not woken while its receiver is tried again", async () => {
    const { stage, wake } = await lost();
    stage.answer = () => ({ outcome: "unreachable", problem: "down" });
    stage.now += 2 * HOUR;
    await stage.deliver(["east#Job#charge"]);
    stage.now += 10 * 60_000;
    expect(await wake()).toBe(0);
  });
});
