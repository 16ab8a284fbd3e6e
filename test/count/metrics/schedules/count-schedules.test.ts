import { afterEach, describe, expect, it } from "vitest";
import type { Fact } from "../../../../src/job/model/fact.ts";
import { SCHEDULES_KEY } from "../../../../src/ports/meta-key.ts";
import { RecentFindings } from "../../../../src/query/cron-jobs/recent-findings.ts";
import { MetricStage } from "../../../support/aws/metric-stage.ts";
import { MeteredTrackers, scrape, tell } from "../../../support/stores/metered-tracker.ts";
import { cronJobDeleted, cronJobOf, heardAfter, hourly, runAt } from "../../../support/story/hourly-cron-job.ts";
import { heartbeat } from "../../../support/story/watched-clusters.ts";

const trackers = new MeteredTrackers();
afterEach(() => trackers.clear());

const MISSED = 'outlive_cronjob_missed_runs_total{cluster="east",namespace="default",cronjob="hourly"}';
const OPEN = 'outlive_findings{cluster="east",namespace="default",kind="MissedRun"}';
const TOTAL = 'outlive_findings_total{cluster="east",namespace="default",kind="MissedRun"}';

/** The next run of the function that counts schedules: they are counted every five minutes. */
async function countLater(stage: MetricStage) {
  stage.now += 5 * 60_000;
  return stage.count();
}

async function hear(stage: MetricStage, hours: number): Promise<void> {
  await stage.tell(heardAt(hours));
}

/** A Job that was created after this many hours, and the heartbeat at the end of its import. */
function heardAt(hours: number): readonly Fact[] {
  const { facts, now } = heardAfter(hours);
  return [...facts, heartbeat(now, "v1.34.2")];
}

/** Missed runs and findings. */
function ofSchedules(shown: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(shown).filter(([name]) => /^outlive_(cronjob_missed|findings)/.test(name)));
}

describe("missed runs and findings of CronJobs on AWS", () => {
  it("count once each, however often they are looked for, also by a new process", async () => {
    const stage = new MetricStage();
    await stage.tell([hourly(), ...runAt(1).facts, ...runAt(3).facts]);
    await hear(stage, 5.5);
    for (let round = 0; round < 3; round += 1) {
      stage.recent = new RecentFindings();
      await countLater(stage);
    }
    // Due at 1, 2, 3, 4 and 5; the one of 5 may still be started late.
    expect(await stage.scrape()).toMatchObject({ [MISSED]: 2, [OPEN]: 1, [TOTAL]: 1 });
  });

  it("are those that one machine shows for the same facts", async () => {
    const stage = new MetricStage();
    const embedded = trackers.open();
    const told = [
      { facts: [hourly(), ...runAt(1).facts], hours: 3.5 },
      { facts: [...runAt(2).facts, ...runAt(4).facts], hours: 5.5 },
      { facts: [...runAt(6).facts, ...runAt(7).facts, ...runAt(8).facts], hours: 8.5 },
      { facts: [...runAt(30).facts], hours: 31.5 },
      { facts: [], hours: 60.5 },
      { facts: [cronJobDeleted(61)], hours: 62 },
    ];
    for (const { facts, hours } of told) {
      const { facts: heard, now } = heardAfter(hours);
      stage.now = now;
      await tell(embedded, [...facts, ...heard]);
      await embedded.countCronJobs(now);
      await stage.tell([...facts, ...heardAt(hours)]);
      await countLater(stage);
      expect(ofSchedules(await stage.scrape())).toEqual(ofSchedules(await scrape(embedded, "everything", stage.now)));
    }
    expect(ofSchedules(await stage.scrape())).toMatchObject({ [TOTAL]: 1 });
  });

  it("count a daily run when the next one is due, a day after it was missed", async () => {
    const stage = new MetricStage();
    const embedded = trackers.open();
    const daily = cronJobOf("0 6 * * *");
    const shown = MISSED;
    for (const [hours, missed] of [
      [7, 0],
      [29, 0],
      [31, 1],
      [32, 1],
      [55, 2],
    ] as const) {
      const { facts, now } = heardAfter(hours);
      stage.now = now;
      await stage.tell([daily, ...heardAt(hours)]);
      await countLater(stage);
      await tell(embedded, [daily, ...facts]);
      await embedded.countCronJobs(now);
      expect([(await stage.scrape())[shown] ?? 0, (await scrape(embedded))[shown] ?? 0]).toEqual([missed, missed]);
    }
  });

  it("count no more if the run is found late, but what was shown remains until others are missed", async () => {
    const stage = new MetricStage();
    await stage.tell([hourly(), ...runAt(1).facts]);
    await hear(stage, 3.5);
    await countLater(stage);
    expect(await stage.scrape()).toMatchObject({ [MISSED]: 1 });
    await stage.tell(runAt(2).facts);
    await hear(stage, 4.5);
    await countLater(stage);
    // That of 2 ran, that of 3 is missed.
    expect(await stage.scrape()).toMatchObject({ [MISSED]: 1 });
  });

  it("count what was missed while the function did not run, however many due times that are", async () => {
    const stage = new MetricStage();
    await stage.tell([hourly(), ...runAt(1).facts]);
    await hear(stage, 1.5);
    await countLater(stage);
    await stage.tell(runAt(30).facts);
    await hear(stage, 30.5);
    await countLater(stage);
    // Due at 2 to 29.
    expect(await stage.scrape()).toMatchObject({ [MISSED]: 28 });
  });

  it("are the same if the function is killed at any of its requests", async () => {
    for (let request = 1; request < 40; request += 3) {
      const stage = new MetricStage();
      await stage.tell([hourly(), ...runAt(1).facts, ...runAt(3).facts]);
      await hear(stage, 5.5);
      await stage.countKilled(request);
      stage.recent = new RecentFindings();
      await countLater(stage);
      await countLater(stage);
      expect(await stage.scrape(), `killed at ${request}`).toMatchObject({ [MISSED]: 2, [OPEN]: 1, [TOTAL]: 1 });
    }
  });

  it("remain counted when the CronJob is deleted and created again", async () => {
    const stage = new MetricStage();
    await stage.tell([hourly(), ...runAt(1).facts]);
    await hear(stage, 3.5);
    await countLater(stage);
    await stage.tell([cronJobDeleted(3.6)]);
    await hear(stage, 40);
    await countLater(stage);
    // A CronJob that was deleted has no next run, and no series of missed ones.
    expect((await stage.scrape())[MISSED]).toBeUndefined();
    expect(await stage.scrape()).toMatchObject({ [TOTAL]: 1 });
    await stage.tell([cronJobOf("0 * * * *", "dron-2")]);
    expect(await stage.scrape()).toMatchObject({ [MISSED]: 1 });
  });

  it("are summed as other beyond the bound of series", async () => {
    const stage = new MetricStage(4);
    const names = Array.from({ length: 12 }, (_, n) => `job-${n}`);
    await stage.tell(names.map((name, n) => cronJobOf("0 * * * *", `${n}-uid`, name)));
    await hear(stage, 3.5);
    await countLater(stage);
    await countLater(stage);
    const missed = Object.entries(await stage.scrape()).filter(([name]) => name.startsWith("outlive_cronjob_missed"));
    expect(missed.length).toBeLessThanOrEqual(4);
    expect(missed.reduce((sum, [, count]) => sum + count, 0)).toBe(24);
    expect(missed.map(([name]) => name).join()).toContain('cronjob="other"');
  });

  it("are published to CloudWatch with what was missed since the last minute", async () => {
    const stage = new MetricStage(1_000, "stage");
    await stage.tell([hourly(), ...runAt(1).facts]);
    await hear(stage, 1.5);
    await countLater(stage);
    await hear(stage, 5.5);
    await countLater(stage);
    const { published } = await stage.count();
    expect(published.get("stage")?.get("MissedRuns")).toBe(3);
    expect(published.get("stage")?.get("NewFindings")).toBe(1);
    expect(published.get("stage")?.get("OpenFindings")).toBe(1);
    expect((await stage.count()).published.get("stage")?.get("MissedRuns")).toBe(0);
  });

  it("are counted every five minutes by one process, and continue where there was no time", async () => {
    const stage = new MetricStage();
    await stage.tell([hourly(), ...runAt(1).facts]);
    await hear(stage, 3.5);
    expect((await stage.count()).schedules).toEqual({ outcome: "counted", cronJobs: 1, isPartial: false });
    expect((await stage.count()).schedules).toEqual({ outcome: "held", cronJobs: 0, isPartial: false });
    stage.now += 5 * 60_000;
    expect((await stage.count({ remainingMillis: 20_000 })).schedules).toMatchObject({ isPartial: true, cronJobs: 0 });
    expect((await stage.meta.read("position", SCHEDULES_KEY))?.value).toContain('"unfinished":"east"');
    expect((await stage.count()).schedules).toMatchObject({ outcome: "counted", cronJobs: 1, isPartial: false });
  });

  it("are unknown of a cluster that was not heard of", async () => {
    const stage = new MetricStage();
    await countLater(stage);
    expect(ofSchedules(await stage.scrape())).toEqual({});
  });
});
