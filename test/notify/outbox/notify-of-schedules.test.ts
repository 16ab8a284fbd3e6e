import { describe, expect, it } from "vitest";
import { notifyOfCronJobs, watchesSchedules } from "../../../src/notify/outbox/notify-of-schedules.ts";
import type { Rule } from "../../../src/notify/rules/rules.ts";
import { ScheduleWatch } from "../../../src/notify/watch-schedules.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import type { WakeUp } from "../../../src/ports/wake-ups.ts";
import { decodeResourceVersion } from "../../../src/job/model/order.ts";
import { rulesOf } from "../../support/notify/notified-tracker.ts";
import { NotifiedStage } from "../../support/notify/notified-stage.ts";
import { ruleOf } from "../../support/story/notified.ts";

const SILENT = ruleOf({ name: "silence", match: { states: [], findings: ["ClusterSilent"] }, resolve: true });

/** The heartbeat of an exporter. */
function heartbeat(at: number): Fact {
  const resourceVersion = decodeResourceVersion(String(at));
  if (resourceVersion === undefined) throw new Error("not a resourceVersion");
  return { epoch: 0, resourceVersion, at, kind: "ClusterObserved", serverVersion: "v1.36.3" };
}

async function check(stage: NotifiedStage): Promise<number> {
  const ports = {
    jobs: stage.projections.open("A"),
    meta: stage.meta,
    log: stage.log,
    retry: { attempts: 3, pause: async () => {} },
    wakeUps: { send: async (some: readonly WakeUp[]) => void stage.queued.push(...some) },
  };
  return notifyOfCronJobs(ports, { rules: stage.rules, now: () => stage.now }, new ScheduleWatch());
}

describe("rules about schedules", () => {
  it.each<[Partial<Rule>, boolean]>([
    [{ match: { states: [], findings: [] } }, true],
    [{ match: { states: [], findings: ["MissedRun"] } }, true],
    [{ match: { states: ["Failed"], findings: ["ClusterSilent"] } }, true],
    [{ match: { states: ["Failed"], findings: [] } }, false],
    [{ match: { states: [], findings: ["PhantomRunning"] } }, false],
  ])("%j: %s", (said, expected) => {
    expect(watchesSchedules(rulesOf([ruleOf(said)]))).toBe(expected);
  });
});

describe("a cluster that falls silent", () => {
  it("is notified of once, and resolved when it is heard again", async () => {
    const stage = new NotifiedStage();
    stage.rules = rulesOf([SILENT]);
    await stage.receive([heartbeat(stage.now)]);
    expect(await check(stage)).toBe(1);
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
