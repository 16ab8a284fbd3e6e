import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { amountKey, amountsText } from "../../../src/adapters/sqlite/metric-amounts.ts";
import { idOfSeries } from "../../../src/adapters/sqlite/metric-series.ts";
import { MIGRATIONS } from "../../../src/adapters/sqlite/migrations.ts";
import { readScheduleParts } from "../../../src/count/metrics/schedules/schedule-part.ts";
import { type Embedded, openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import type { CronJobObserved } from "../../../src/job/model/fact.ts";
import type { Labels } from "../../../src/ports/metric-store.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { scrape } from "../../support/stores/metered-tracker.ts";
import { heardAfter, hourly } from "../../support/story/hourly-cron-job.ts";
import { heartbeat } from "../../support/story/watched-clusters.ts";
import { ScratchDatabases } from "./scratch-databases.ts";

const HOUR = 3_600_000;
const DAY_BEGIN = heardAfter(0).now;
const dueAt = (hours: number): number => DAY_BEGIN + hours * HOUR;

let scratch: ScratchDatabases;
let open: Embedded | undefined;
beforeEach(() => {
  scratch = new ScratchDatabases();
});
afterEach(() => {
  open?.close();
  open = undefined;
  scratch.clear();
});

interface EarlierSeries {
  readonly family: 6 | 7 | 10;
  readonly labels: Labels;
  readonly value: number;
  /** What a counter has shown. */
  readonly shown?: number;
}

const east = (labels: Labels): Labels => ({ cluster: "east", namespace: "default", ...labels });
const MISSED = { family: 10, labels: east({ cronjob: "hourly" }) } as const;
const OPEN = { family: 6, labels: east({ kind: "MissedRun" }) } as const;
const TOTAL = { family: 7, labels: east({ kind: "MissedRun" }) } as const;
const SHOWN = {
  missed: 'outlive_cronjob_missed_runs_total{cluster="east",namespace="default",cronjob="hourly"}',
  other: 'outlive_cronjob_missed_runs_total{cluster="east",namespace="default",cronjob="other"}',
  open: 'outlive_findings{cluster="east",namespace="default",kind="MissedRun"}',
  total: 'outlive_findings_total{cluster="east",namespace="default",kind="MissedRun"}',
};

/** A database file of the release before, with the hourly CronJob, which was heard of until 10:30. */
class EarlierFile {
  readonly path = scratch.newPath();
  readonly #file = new DatabaseSync(this.path);

  constructor() {
    this.#file.function("row_checksum", { varargs: true }, () => 0);
    this.#file.exec(`PRAGMA application_id = 0x4f55544c; ${MIGRATIONS.slice(0, 7).join(";")};
      PRAGMA user_version = 7`);
    this.record("cluster", "east", { observed: heartbeat(dueAt(10.5), "v1.34.2") });
  }

  record(kind: string, key: string, value: object): void {
    const insert = this.#file.prepare("INSERT INTO meta (kind, key, version, value) VALUES (?, ?, 1, ?)");
    insert.run(kind, key, JSON.stringify(value));
  }

  cronJob(uid: string, name = "hourly"): void {
    const observed = { ...hourlyCronJob(), cronJobUid: uid, name };
    this.record("cronjob", `east#${uid}`, { cronJobUid: uid, observed, specs: [observed] });
  }

  series({ family, labels, value, shown }: EarlierSeries): void {
    const id = idOfSeries({ family, labels });
    const kind = family === 6 ? "gauge" : "counter";
    const insert = this.#file.prepare("INSERT INTO metric_series (id, family, kind, labels) VALUES (?, ?, ?, ?)");
    insert.run(id, family, kind, JSON.stringify(labels));
    const number = this.#file.prepare("INSERT INTO metric_values (series, part, value, shown) VALUES (?, 0, ?, ?)");
    number.run(id, value, kind === "gauge" ? null : (shown ?? value));
  }

  subject(subject: string, ...series: readonly Pick<EarlierSeries, "family" | "labels">[]): void {
    const amounts = amountsText(series.map((one) => [amountKey(idOfSeries(one), 0), 1]));
    const sql = "INSERT INTO metric_subjects (cluster, subject, at, amounts) VALUES ('east', ?, 0, ?)";
    this.#file.prepare(sql).run(subject, amounts);
  }

  missed(uid: string, hours: number, ...series: readonly Pick<EarlierSeries, "family" | "labels">[]): void {
    this.subject(`missed/${uid}/${dueAt(hours) / 60_000}`, ...series);
  }

  open(): Embedded {
    this.#file.close();
    open = openEmbedded(this.path);
    return open;
  }
}

function hourlyCronJob(): CronJobObserved {
  const fact = hourly();
  if (fact.kind !== "CronJobObserved") throw new Error("It is a CronJob.");
  return fact;
}

/** Two missed runs, of which one is open, and a third whose run was found late. A Job has the same finding. */
function fileWithMissedRuns(): EarlierFile {
  const file = new EarlierFile();
  file.cronJob("cron-1");
  file.series({ ...MISSED, value: 2 });
  file.series({ ...OPEN, value: 2 });
  file.series({ ...TOTAL, value: 3 });
  file.subject("job-1", OPEN, TOTAL);
  file.subject("cronfindings/cron-1", OPEN, TOTAL);
  file.missed("cron-1", 7, MISSED);
  file.missed("cron-1", 8);
  file.missed("cron-1", 9, MISSED);
  return file;
}

describe("what CronJobs have counted in a file of the release before", () => {
  it("is shown as before, and nothing is damaged", async () => {
    const embedded = fileWithMissedRuns().open();
    const shown = await scrape(embedded);
    expect(shown).toMatchObject({ [SHOWN.missed]: 2, [SHOWN.open]: 2, [SHOWN.total]: 3 });
    expect(await embedded.findDamagedRows()).toEqual([]);
    const [stored] = await readScheduleParts(embedded.meta, clusterNamed("east"));
    expect(stored?.part.cronJobs).toMatchObject([
      { uid: "cron-1", name: "hourly", missed: 2, until: dueAt(9), kinds: ["MissedRun"], open: ["MissedRun"] },
    ]);
  });

  it("is not counted again, and what is missed later is", async () => {
    const embedded = fileWithMissedRuns().open();
    for (let round = 0; round < 2; round += 1) await embedded.countCronJobs(dueAt(10.5), { again: true });
    expect(await scrape(embedded)).toMatchObject({ [SHOWN.missed]: 2, [SHOWN.open]: 2, [SHOWN.total]: 3 });
    await embedded.importFacts(
      (async function* () {
        yield heardAfter(12.5).facts;
      })(),
      { cluster: clusterNamed("east"), now: 0 },
    );
    await embedded.countCronJobs(dueAt(12.5));
    // Those of 10 and 11; the one of 12 may still be started late.
    expect(await scrape(embedded)).toMatchObject({ [SHOWN.missed]: 4 });
  });

  it("shows what it has shown, until as many runs are missed", async () => {
    const file = new EarlierFile();
    file.cronJob("cron-1");
    file.series({ ...MISSED, value: 1, shown: 3 });
    file.missed("cron-1", 9, MISSED);
    const embedded = file.open();
    expect(await scrape(embedded)).toMatchObject({ [SHOWN.missed]: 3 });
    await embedded.countCronJobs(dueAt(10.5));
    expect(await scrape(embedded)).toMatchObject({ [SHOWN.missed]: 3 });
    const [stored] = await readScheduleParts(embedded.meta, clusterNamed("east"));
    expect(stored?.part.cronJobs).toMatchObject([{ missed: 1, shown: 3 }]);
  });

  it("stays as a sum where a CronJob or its due times are no longer stored", async () => {
    const file = new EarlierFile();
    file.cronJob("cron-1");
    file.series({ ...MISSED, value: 5 });
    file.series({ ...TOTAL, value: 1 });
    file.series({ ...OPEN, value: 0 });
    file.missed("cron-1", 9, MISSED);
    file.missed("gone", 9, MISSED);
    file.subject("cronfindings/gone", TOTAL);
    const embedded = file.open();
    expect(await scrape(embedded)).toMatchObject({ [SHOWN.missed]: 5, [SHOWN.total]: 1, [SHOWN.open]: 0 });
    const [stored] = await readScheduleParts(embedded.meta, clusterNamed("east"));
    expect(stored?.part.cronJobs).toMatchObject([{ uid: "cron-1", missed: 1 }]);
    expect(stored?.part.ended).toContainEqual({ namespace: "default", cronJob: "hourly", count: 4 });
  });

  it("stays in the series of other CronJobs beyond the bound of series", async () => {
    const file = new EarlierFile();
    const other = { family: 10, labels: east({ cronjob: "other" }) } as const;
    file.cronJob("cron-1", "first");
    file.cronJob("cron-2", "second");
    file.series({ ...other, value: 3 });
    file.missed("cron-1", 8, other);
    file.missed("cron-1", 9, other);
    file.missed("cron-2", 9, other);
    const embedded = file.open();
    expect(await scrape(embedded)).toMatchObject({ [SHOWN.other]: 3 });
    await embedded.countCronJobs(dueAt(10.5));
    expect(Object.keys(await scrape(embedded)).filter((name) => name.includes("missed_runs"))).toEqual([SHOWN.other]);
  });
});
