import { describe, expect, it } from "vitest";
import { outboxStatus } from "../../../src/notify/outbox/outbox-status.ts";
import type { Receiver } from "../../../src/notify/rules/rules.ts";
import type { OutgoingMessage } from "../../../src/ports/message-sender.ts";
import { failingJob } from "../../support/notify/failing-job.ts";
import { HOOK, rulesOf } from "../../support/notify/notified-tracker.ts";
import { receiverOf } from "../../support/notify/opened-receiver.ts";
import { NotifiedStage } from "../../support/notify/notified-stage.ts";
import { KilledError, Process } from "../../support/killed/killed-at.ts";
import { ruleOf } from "../../support/story/notified.ts";

const OPENED = "opened charge/1/failures/hook";
const CHANGED = "changed charge/2/failures/hook";
const DAY = 86_400_000;
const SLACK: Receiver = receiverOf({ name: "slack", slack: { urlEnv: "URL" } }, { URL: "https://slack.example/" });

/** A stage that has noticed a failed Job, and has sent nothing yet. */
async function noticed(names: readonly string[] = ["charge"], receivers: readonly Receiver[] = [HOOK]) {
  const stage = new NotifiedStage();
  stage.rules = rulesOf([ruleOf({ to: receivers.map(({ name }) => name) })], { receivers });
  for (const name of names) await stage.receiveAll(failingJob(name));
  await stage.notify();
  return stage;
}

/** The same, with a correction that waits behind the first message. */
async function corrected() {
  const stage = new NotifiedStage();
  const [created = [], pod = [], finished = []] = failingJob();
  await stage.receiveAll([finished, created]);
  await stage.notify();
  await stage.receive(pod);
  await stage.notify();
  return stage;
}

describe("messages to a receiver whose secret is missing", () => {
  it("wait with the problem, and are sent when it has its secret", async () => {
    const stage = await corrected();
    const problem = "The variable HOOK_SECRET is not set.";
    const { failed, waiting } = await stage.deliver(undefined, { receiver: { name: HOOK.name, problem } });
    expect(failed).toEqual([{ key: "charge/1/failures/hook", problem }]);
    expect([...waiting.values()]).toEqual([stage.now + 5_000]);
    expect(stage.sent).toEqual([]);
    expect((await outboxStatus(stage.meta, 10)).receivers).toMatchObject([
      { receiver: HOOK.name, waiting: 2, delivered: 0, dead: 0, failingSince: stage.now, lastProblem: problem },
    ]);
    stage.now += 5_000;
    await stage.deliver();
    expect(stage.effects()).toEqual([OPENED, CHANGED]);
  });
});

describe("messages about one subject", () => {
  it("arrive in order, and a later one waits for the earlier", async () => {
    const stage = await corrected();
    stage.answer = () => ({ outcome: "unreachable", problem: "down" });
    const { waiting, failed } = await stage.deliver();
    expect(failed).toEqual([{ key: "charge/1/failures/hook", problem: "down" }]);
    expect([...waiting.values()]).toEqual([stage.now + 5_000]);
    stage.answer = () => ({ outcome: "accepted", status: 200 });
    expect((await stage.deliver()).delivered).toBe(0);
    stage.now += 5_000;
    expect(await stage.deliver()).toMatchObject({ delivered: 2, waiting: new Map() });
    expect(stage.effects()).toEqual([OPENED, CHANGED]);
  });

  it("are sent once, though their subject is named twice and by two processes at once", async () => {
    const stage = await corrected();
    const subjects = [...stage.subjects(), ...stage.subjects()];
    await Promise.all([stage.deliver(subjects), stage.deliver(subjects)]);
    expect(stage.sent).toHaveLength(2);
  });

  it("have their effect once where the function is killed at any step", async () => {
    for (let step = 0; step < 40; step += 1) {
      const stage = await corrected();
      const process = new Process(step);
      const killed = await stage.deliver(stage.subjects(), { process }).then(
        () => false,
        (cause: unknown) => cause instanceof KilledError,
      );
      // The message returns at the visibility timeout of its queue, when the claim has ended.
      stage.now += 120_000;
      await stage.deliver();
      expect(stage.effects(), `killed at step ${step}`).toEqual([OPENED, CHANGED]);
      if (!killed) return;
    }
    throw new Error("the function takes more than 40 steps");
  });

  it("of one receiver do not wait for another", async () => {
    const other = { ...HOOK, name: "other" };
    const stage = await noticed(["charge"], [HOOK, other]);
    stage.answer = () => ({ outcome: "unreachable", problem: "down" });
    await stage.deliver();
    stage.answer = () => ({ outcome: "accepted", status: 200 });
    expect(await stage.deliver(stage.subjects("other"), { receiver: other })).toMatchObject({ delivered: 1 });
  });
});

describe("a message that is not accepted", () => {
  it("is dead after a day, and the next one is sent", async () => {
    const stage = await corrected();
    stage.answer = () => ({ outcome: "unreachable", problem: "down" });
    const begin = stage.now;
    const dead: string[] = [];
    for (let attempt = 0; attempt < 300 && dead.length === 0; attempt += 1) {
      const tried = await stage.deliver();
      dead.push(...tried.dead.map(({ key }) => key));
      stage.now += 15 * 60_000;
    }
    expect(dead).toEqual(["charge/1/failures/hook"]);
    expect(stage.now - begin).toBeGreaterThanOrEqual(DAY);
    stage.answer = () => ({ outcome: "accepted", status: 200 });
    stage.now += DAY;
    expect(await stage.deliver()).toMatchObject({ delivered: 1, waiting: new Map() });
    expect(stage.sent.at(-1)?.notification.kind).toBe("changed");
  });

  it("is dead at once if the receiver refuses its content", async () => {
    const stage = await noticed();
    stage.answer = () => ({ outcome: "rejected", status: 400, problem: "status 400" });
    expect(await stage.deliver()).toMatchObject({ dead: [{ problem: "status 400" }], waiting: new Map() });
  });

  it("waits for as long as the receiver asks", async () => {
    const stage = await noticed();
    stage.answer = () => ({ outcome: "rejected", status: 429, problem: "status 429", retryAfterMillis: 90_000 });
    expect([...(await stage.deliver()).waiting.values()]).toEqual([stage.now + 90_000]);
  });
});

describe("messages about several subjects", () => {
  it("are one message of Slack, for each group", async () => {
    const stage = await noticed(["charge", "refund", "export"], [SLACK]);
    const bodies: OutgoingMessage[] = [];
    stage.answer = (message) => {
      bodies.push(message);
      return { outcome: "accepted", status: 200 };
    };
    expect(await stage.deliver(stage.subjects("slack"), { receiver: SLACK })).toMatchObject({ delivered: 3 });
    expect(bodies).toHaveLength(1);
    expect(bodies[0]?.body).toContain("3 messages of rule failures");
  });

  it("are one message each for others", async () => {
    const stage = await noticed(["charge", "refund"]);
    expect(await stage.deliver()).toMatchObject({ delivered: 2 });
    expect(stage.sent).toHaveLength(2);
  });

  it("beyond a rate limit wait until its time has passed, and do not count as attempts", async () => {
    const limited: Receiver = { ...HOOK, rateLimit: { max: 2, perMillis: 60_000 } };
    const stage = await noticed(["charge", "refund", "export"], [limited]);
    const { delivered, failed, waiting } = await stage.deliver(stage.subjects(), { receiver: limited });
    expect({ delivered, failed }).toEqual({ delivered: 2, failed: [] });
    const [until = 0] = waiting.values();
    expect(until).toBeGreaterThanOrEqual(stage.now + 60_000);
    expect(until).toBeLessThanOrEqual(stage.now + 62_000);
    stage.now = until;
    expect(await stage.deliver(stage.subjects(), { receiver: limited })).toMatchObject({ delivered: 1 });
    expect(new Set(stage.effects()).size).toBe(3);
  });
});
