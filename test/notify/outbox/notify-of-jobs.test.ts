import { describe, expect, it } from "vitest";
import { startReplay } from "../../../src/upkeep/replay/rebuild-projection.ts";
import { failingJob } from "../../support/notify/failing-job.ts";
import { HOOK, rulesOf } from "../../support/notify/notified-tracker.ts";
import { NotifiedStage } from "../../support/notify/notified-stage.ts";
import { KilledError, Process } from "../../support/killed/killed-at.ts";
import { ruleOf } from "../../support/story/notified.ts";
import { continueReplay } from "../../support/killed/continue-replay.ts";

const RETRY = { attempts: 3, pause: async () => {} };
const OPENED = "opened charge/1/failures/hook";

/** Rebuilds the idle projection and switches at `at`, as the replay function does. */
async function switchAt(stage: NotifiedStage, at: number): Promise<void> {
  stage.now = at;
  await startReplay(stage.meta);
  const { meta, log, projections } = stage;
  await continueReplay({ meta, log, projections }, { retry: RETRY, hold: { now: () => at, millis: 0 } });
}

describe("written rows", () => {
  it("that no rule matches cost no request, and no record", async () => {
    const stage = new NotifiedStage();
    stage.rules = rulesOf([ruleOf({ match: { namespaces: ["other"], states: ["Failed"], findings: [] } })]);
    await stage.receiveAll(failingJob());
    const writes = stage.reported();
    // Only the pointer to the live projection is read, once for the batch.
    const process = new Process(1);
    expect(await stage.notify(writes, process)).toBe(0);
    expect((await stage.meta.list("notice", { prefix: "east#", limit: 10 })).records).toEqual([]);
  });

  it("cause one message with the cause in its first line, in whatever order and however often they come", async () => {
    const stage = new NotifiedStage();
    await stage.receiveAll(failingJob());
    const writes = stage.reported();
    for (const order of [writes, writes.toReversed(), ...writes.map((one) => [one]), writes]) await stage.notify(order);
    await stage.deliver();
    await stage.deliver();
    expect(stage.sent).toHaveLength(1);
    expect(stage.effects()).toEqual([OPENED]);
    expect(stage.sent[0]?.notification.headline).toMatch(/^Failed \(BackoffLimitExceeded\): .*exited with code 7/);
  });

  it("that are reported one by one, each as it is written, send what changes and no more", async () => {
    const stage = new NotifiedStage();
    const [created = [], pod = [], finished = []] = failingJob();
    for (const facts of [finished, created, pod]) {
      await stage.receive(facts);
      await stage.notify();
      await stage.deliver();
    }
    expect(stage.effects()).toEqual([OPENED, "changed charge/2/failures/hook"]);
    expect(stage.sent[1]?.notification.firstKey).toBe("charge/1/failures/hook");
  });

  it("cause each message once where the function is killed at any step", async () => {
    for (let step = 0; step < 40; step += 1) {
      const stage = new NotifiedStage();
      await stage.receiveAll(failingJob());
      const writes = stage.reported();
      const killed = await stage.notify(writes, new Process(step)).then(
        () => false,
        (cause: unknown) => cause instanceof KilledError,
      );
      // Lambda reports the batch again. A function that was not killed has made the message by itself.
      if (killed) await stage.notify(writes);
      await stage.deliver();
      expect(stage.effects(), `killed at step ${step}`).toEqual([OPENED]);
      if (!killed) return;
    }
    throw new Error("the function takes more than 40 steps");
  });

  it("about a Job that another process observes at the same time cause one message", async () => {
    const stage = new NotifiedStage();
    await stage.receiveAll(failingJob());
    const writes = stage.reported();
    await Promise.all([stage.notify(writes), stage.notify(writes), stage.notify(writes)]);
    await stage.deliver();
    expect(stage.effects()).toEqual([OPENED]);
  });

  it("that a rule matched before it was added cause no message", async () => {
    const stage = new NotifiedStage();
    await stage.receiveAll(failingJob());
    stage.reported();
    const [, , finished = []] = failingJob();
    await stage.receive(finished.map((fact) => ({ ...fact, at: fact.at + 1 })));
    await stage.notify();
    expect(stage.queued).toEqual([]);
  });

  it("about a Job that ended more than a day ago cause no message: they are from an import", async () => {
    const stage = new NotifiedStage();
    stage.now += 25 * 3_600_000;
    await stage.receiveAll(failingJob());
    expect(await stage.notify()).toBe(1);
    expect(stage.queued).toEqual([]);
  });
});

describe("a rebuild of the projection", () => {
  it("causes no message: neither while it fills the idle projection, nor afterwards", async () => {
    const stage = new NotifiedStage();
    await stage.receiveAll(failingJob());
    stage.reported();
    await switchAt(stage, stage.now + 60_000);
    const rebuilt = stage.reported().map((write) => ({ ...write, writtenAt: write.writtenAt - 60_000 }));
    expect(rebuilt.length).toBeGreaterThan(0);
    expect(await stage.notify(rebuilt)).toBe(0);
    expect(stage.queued).toEqual([]);
  });

  it("loses no message of a write that was reported after the switch", async () => {
    const stage = new NotifiedStage();
    await stage.receiveAll(failingJob());
    const late = stage.reported();
    await switchAt(stage, stage.now + 60_000);
    await stage.notify(late);
    await stage.deliver();
    expect(stage.effects()).toEqual([OPENED]);
  });

  it("sends nothing again of what the previous projection has notified of", async () => {
    const stage = new NotifiedStage();
    const events = failingJob();
    await stage.receiveAll(events);
    await stage.notify();
    await stage.deliver();
    await switchAt(stage, stage.now + 60_000);
    stage.reported();
    stage.now += 60_000;
    await stage.receive((events[2] ?? []).map((fact) => ({ ...fact, at: fact.at + 1 })));
    await stage.notify();
    await stage.deliver();
    expect(stage.effects()).toEqual([OPENED]);
  });
});

describe("a message that waits", () => {
  it("wakes its receiver again with each report, so that a lost wake-up loses no message", async () => {
    const stage = new NotifiedStage();
    stage.answer = () => ({ outcome: "unreachable", problem: "down" });
    await stage.receiveAll(failingJob());
    const writes = stage.reported();
    await stage.notify(writes);
    stage.queued.splice(0);
    await stage.notify(writes);
    expect(stage.queued).toEqual([{ receiver: HOOK.name, subject: "east#Job#charge", at: stage.now }]);
  });

  it("is held for as long as the rule says, and is not sent if the condition ends before", async () => {
    const stage = new NotifiedStage();
    stage.rules = rulesOf([ruleOf({ match: { states: ["Pending", "Running"], findings: [] }, forMillis: 120_000 })]);
    const [created = [], pod = [], finished = []] = failingJob();
    await stage.receiveAll([created, pod]);
    await stage.notify();
    expect(stage.queued[0]?.at).toBe(stage.now + 120_000);
    await stage.deliver();
    await stage.receive(finished);
    await stage.notify();
    stage.now += 120_000;
    await stage.deliver();
    expect(stage.sent).toEqual([]);
  });
});
