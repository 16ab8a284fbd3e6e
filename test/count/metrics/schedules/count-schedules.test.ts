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

/** A tracker whose CronJobs are counted, with a clock that the test sets. */
interface Host {
  now: number;
  tell(facts: readonly Fact[]): Promise<void>;
  /** A later round. */
  count(): Promise<unknown>;
  scrape(): Promise<Readonly<Record<string, number>>>;
}

/** The next run of the function that counts schedules: they are counted every five minutes. */
async function countLater(stage: MetricStage) {
  stage.now += 5 * 60_000;
  return stage.count();
}

function stageHost(): Host {
  const stage = new MetricStage();
  return {
    get now() {
      return stage.now;
    },
    set now(at) {
      stage.now = at;
    },
    tell: (facts) => stage.tell(facts),
    count: () => countLater(stage),
    scrape: () => stage.scrape(),
  };
}

function embeddedHost(): Host {
  const embedded = trackers.open();
  return {
    now: Date.parse("2026-01-02T12:00:00Z"),
    tell: (facts) => tell(embedded, facts),
    count() {
      this.now += 5 * 60_000;
      return embedded.countCronJobs(this.now);
    },
    scrape() {
      return scrape(embedded, "everything", this.now);
    },
  };
}

async function hear(host: Pick<Host, "tell">, hours: number): Promise<void> {
  const { facts, now } = heardAfter(hours);
  await host.tell([...facts, heartbeat(now, "v1.34.2")]);
}

/** Missed runs and findings. */
function ofSchedules(shown: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(shown).filter(([name]) => /^outlive_(cronjob_missed|findings)/.test(name)));
}

describe.each([
  { on: "AWS", open: stageHost },
  { on: "a database file", open: embeddedHost },
])("missed runs and findings of CronJobs on $on", ({ open }) => {
  it("count once each, however often they are looked for", async () => {
    const host = open();
    await host.tell([hourly(), ...runAt(1).facts, ...runAt(3).facts]);
    await hear(host, 5.5);
    for (let round = 0; round < 3; round += 1) await host.count();
    // Due at 1, 2, 3, 4 and 5; the one of 5 may still be started late.
    expect(await host.scrape()).toMatchObject({ [MISSED]: 2, [OPEN]: 1, [TOTAL]: 1 });
  });

  it("count a daily run when the next one is due, a day after it was missed", async () => {
    const host = open();
    const daily = cronJobOf("0 6 * * *");
    for (const [hours, missed] of [
      [7, 0],
      [29, 0],
      [31, 1],
      [32, 1],
      [55, 2],
    ] as const) {
      host.now = heardAfter(hours).now;
      await host.tell([daily]);
      await hear(host, hours);
      await host.count();
      expect((await host.scrape())[MISSED] ?? 0).toBe(missed);
    }
  });

  it("count no more if the run is found late, but what was shown remains until others are missed", async () => {
    const host = open();
    await host.tell([hourly(), ...runAt(1).facts]);
    await hear(host, 3.5);
    await host.count();
    expect(await host.scrape()).toMatchObject({ [MISSED]: 1 });
    await host.tell(runAt(2).facts);
    await hear(host, 4.5);
    await host.count();
    // That of 2 ran, that of 3 is missed.
    expect(await host.scrape()).toMatchObject({ [MISSED]: 1 });
  });

  it("count what was missed while the function did not run, however many due times that are", async () => {
    const host = open();
    await host.tell([hourly(), ...runAt(1).facts]);
    await hear(host, 1.5);
    await host.count();
    await host.tell(runAt(30).facts);
    await hear(host, 30.5);
    await host.count();
    // Due at 2 to 29.
    expect(await host.scrape()).toMatchObject({ [MISSED]: 28 });
  });

  it("count at first what was due in the eight days before, and was observed", async () => {
    const host = open();
    await host.tell([hourly(), ...runAt(1).facts, ...runAt(209).facts]);
    await hear(host, 209.5);
    host.now = heardAfter(209.5).now;
    await host.count();
    // Due at 18 to 208: from 192 hours before the last data.
    expect(await host.scrape()).toMatchObject({ [MISSED]: 191 });
  });

  it("are no longer open when the next runs were on time, and remain counted", async () => {
    const host = open();
    await host.tell([hourly(), ...runAt(1).facts]);
    await hear(host, 2.5);
    host.now = heardAfter(2.5).now;
    await host.count();
    expect(await host.scrape()).toMatchObject({ [OPEN]: 1, [TOTAL]: 1 });
    await host.tell([...runAt(3).facts, ...runAt(4).facts, ...runAt(5).facts]);
    await hear(host, 5.5);
    host.now = heardAfter(5.5).now;
    await host.count();
    expect(await host.scrape()).toMatchObject({ [OPEN]: 0, [TOTAL]: 1 });
  });

  it("are no longer open when the CronJob is deleted", async () => {
    const host = open();
    await host.tell([hourly(), ...runAt(1).facts]);
    await hear(host, 3.5);
    await host.count();
    await host.tell([cronJobDeleted(3.6)]);
    await host.count();
    expect(await host.scrape()).toMatchObject({ [OPEN]: 0, [TOTAL]: 1 });
  });

  it("remain counted when the CronJob is deleted and created again", async () => {
    const host = open();
    await host.tell([hourly(), ...runAt(1).facts]);
    await hear(host, 3.5);
    await host.count();
    await host.tell([cronJobDeleted(3.6)]);
    await hear(host, 40);
    await host.count();
    // A CronJob that was deleted has no next run, and no series of missed ones.
    expect((await host.scrape())[MISSED]).toBeUndefined();
    expect(await host.scrape()).toMatchObject({ [TOTAL]: 1 });
    await host.tell([cronJobOf("0 * * * *", "dron-2")]);
    expect(await host.scrape()).toMatchObject({ [MISSED]: 1 });
  });

  it("are unknown of a cluster that was not heard of", async () => {
    const host = open();
    await host.count();
    expect(ofSchedules(await host.scrape())).toEqual({});
  });
});

const hours = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

describe("an import of earlier recordings", () => {
  it("adds what CronJobs missed in the eight days before the last data", async () => {
    const embedded = trackers.open();
    const { now } = heardAfter(30.5);
    await tell(embedded, heardAfter(30.5).facts);
    await embedded.countCronJobs(now, { again: true });
    await tell(embedded, [hourly(), ...[1, ...hours(4, 30)].flatMap((hour) => runAt(hour).facts)]);
    await embedded.countCronJobs(now);
    expect((await scrape(embedded))[MISSED]).toBeUndefined();
    for (let time = 0; time < 2; time += 1) await embedded.countCronJobs(now, { again: true });
    expect((await scrape(embedded))[MISSED]).toBe(2);
  });
});

describe("schedules that a function counts", () => {
  it("count once each, also by a new process", async () => {
    const stage = new MetricStage();
    await stage.tell([hourly(), ...runAt(1).facts, ...runAt(3).facts]);
    await hear(stage, 5.5);
    for (let round = 0; round < 3; round += 1) {
      stage.recent = new RecentFindings();
      await countLater(stage);
    }
    expect(await stage.scrape()).toMatchObject({ [MISSED]: 2, [OPEN]: 1, [TOTAL]: 1 });
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
});

describe("a damaged record of what CronJobs have counted", () => {
  it("is named and stays as it is, while all others are counted and shown", async () => {
    const embedded = trackers.open();
    const { facts, now } = heardAfter(5.5);
    for (const cluster of ["east", "west"]) {
      for (const some of [
        [hourly(), ...runAt(1).facts],
        [...facts, heartbeat(now, "v1.34.2")],
      ]) {
        await tell(embedded, some, cluster);
      }
    }
    await embedded.meta.write("cronCounts", "east#c", { value: '{"part":"1AAAA"}', expected: 0 });
    for (let round = 0; round < 2; round += 1) {
      await expect(embedded.countCronJobs(now)).rejects.toThrow('Invalid record cronCounts "east#c"');
    }
    const shown = ofSchedules(await scrape(embedded, "everything", now));
    expect(shown).toMatchObject({ [MISSED.replace("east", "west")]: 3 });
    expect(Object.keys(shown)).not.toContain(MISSED);
    expect(await embedded.meta.read("cronCounts", "east#c")).toMatchObject({ version: 1 });
  });
});
