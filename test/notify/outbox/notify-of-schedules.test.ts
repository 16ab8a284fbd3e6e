import { describe, expect, it } from "vitest";
import {
  type LookedAt,
  notifyOfCronJobs,
  type ScheduleTurn,
  watchesSchedules,
} from "../../../src/notify/outbox/notify-of-schedules.ts";
import type { Rule } from "../../../src/notify/rules/rules.ts";
import { ScheduleWatch } from "../../../src/notify/watch-schedules.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import type { WakeUp } from "../../../src/ports/wake-ups.ts";
import { decodeResourceVersion } from "../../../src/job/model/order.ts";
import { rulesOf } from "../../support/notify/notified-tracker.ts";
import { NotifiedStage } from "../../support/notify/notified-stage.ts";
import { cronJobOf } from "../../support/story/hourly-cron-job.ts";
import { ruleOf } from "../../support/story/notified.ts";

const SILENT = ruleOf({ name: "silence", match: { states: [], findings: ["ClusterSilent"] }, resolve: true });

/** The heartbeat of an exporter. */
function heartbeat(at: number): Fact {
  const resourceVersion = decodeResourceVersion(String(at));
  if (resourceVersion === undefined) throw new Error("not a resourceVersion");
  return { epoch: 0, resourceVersion, at, kind: "ClusterObserved", serverVersion: "v1.36.3" };
}

async function check(stage: NotifiedStage, turn: Partial<ScheduleTurn> = {}): Promise<LookedAt> {
  const ports = {
    jobs: stage.projections.open("A"),
    meta: stage.meta,
    log: stage.log,
    retry: { attempts: 3, pause: async () => {} },
    wakeUps: { send: async (some: readonly WakeUp[]) => void stage.queued.push(...some) },
  };
  const setup = { rules: stage.rules, now: () => stage.now };
  return notifyOfCronJobs(ports, setup, { watch: new ScheduleWatch(), ...turn });
}

describe("rules about schedules", () => {
  it.each<[Partial<Rule>, boolean]>([
    [{ match: { states: [], findings: [] } }, true],
    [{ match: { states: [], findings: ["MissedRun"] } }, true],
    [{ match: { states: ["Failed"], findings: ["ClusterSilent"] } }, true],
    [{ match: { states: ["Failed"], findings: [] } }, false],
    [{ match: { states: [], findings: ["PhantomRunning"] } }, false],
    [{ match: { states: [], findings: [] }, traces: true }, false],
  ])("%j: %s", (said, expected) => {
    expect(watchesSchedules(rulesOf([ruleOf(said)]))).toBe(expected);
  });
});

describe("a cluster that falls silent", () => {
  it("is notified of once, and resolved when it is heard again", async () => {
    const stage = new NotifiedStage();
    stage.rules = rulesOf([SILENT]);
    await stage.receive([heartbeat(stage.now)]);
    expect(await check(stage)).toEqual({ subjects: 1, isPartial: false });
    expect(stage.queued).toEqual([]);
    expect((await stage.meta.list("notice", { prefix: "east#", limit: 10 })).records).toEqual([]);
    stage.now += 6 * 60_000;
    await check(stage);
    await check(stage);
    await stage.deliver();
    await stage.receive([heartbeat(stage.now)]);
    await check(stage);
    await stage.deliver();
    await stage.deliver();
    expect(stage.sent.map(({ notification: { kind, subject } }) => `${kind} ${subject.kind} ${subject.name}`)).toEqual([
      "opened Cluster east",
      "resolved Cluster east",
    ]);
  });
});

describe("CronJobs that one turn has no time for", () => {
  const missed = ruleOf({ name: "missed", match: { states: [], findings: ["MissedRun"] }, resolve: true });
  const HOURLY = 150;

  /** CronJobs that were due at one o'clock, and had no run. It is half past two. */
  async function stageWithMissedRuns(): Promise<NotifiedStage> {
    const stage = new NotifiedStage();
    stage.rules = rulesOf([missed]);
    const cronJobs = Array.from({ length: HOURLY }, (_, at) => cronJobOf("0 * * * *", `cron-${at}`, `hourly-${at}`));
    await stage.receive(cronJobs);
    stage.now = Date.parse("2026-01-01T02:30:00Z");
    await stage.receive([heartbeat(stage.now)]);
    return stage;
  }

  it("come in the next turns, each with another process", async () => {
    const stage = await stageWithMissedRuns();
    const turns = [];
    do turns.push(await check(stage, { hasTime: () => false }));
    while (turns.at(-1)?.isPartial === true && turns.length < 10);
    expect(turns.map(({ isPartial }) => isPartial)).toEqual([true, true, false]);
    const opened = new Set(stage.queued.map(({ subject }) => subject));
    expect(opened.size).toBe(HOURLY);
    expect(stage.queued).toHaveLength(HOURLY);
  });

  it("are all looked at again after the last one", async () => {
    const stage = await stageWithMissedRuns();
    await check(stage, { hasTime: () => false });
    await check(stage);
    expect(await check(stage)).toEqual({ subjects: HOURLY + 1, isPartial: false });
  });
});
