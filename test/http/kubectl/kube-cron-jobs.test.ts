import { describe, expect, it } from "vitest";
import { CRON_JOB_FORMAT, listKubeCronJobs } from "../../../src/http/kubectl/kube-cron-jobs.ts";
import type { CronJobAnswer } from "../../../src/query/cron-jobs/cron-jobs.ts";
import { kubeContextOver, kubeOptions, kubePath } from "../../support/http/kube-question.ts";
import { storesWithFacts } from "../../support/stores/stores-with-facts.ts";
import { second } from "../../support/story/listed-job.ts";
import { Story } from "../../support/story/story.ts";

const BARE: CronJobAnswer = { cluster: "east", namespace: "batch", name: "nightly", uid: "u1" };
const FULL: CronJobAnswer = {
  ...BARE,
  createdAt: second(0),
  deletedAt: second(50),
  schedule: "0 0 * * *",
  timeZone: "Europe/Berlin",
  suspend: true,
  concurrencyPolicy: "Forbid",
  lastScheduledAt: second(20),
  lastSuccessfulAt: second(30),
};
const cellsOf = (cronJob: CronJobAnswer) =>
  CRON_JOB_FORMAT.columns.map(({ cell }) => cell(cronJob, Date.parse(second(60))));

describe("a CronJob as kubectl sees it", () => {
  it("has what was observed, as of the latest of its instants", () => {
    expect(CRON_JOB_FORMAT.show(FULL)).toMatchObject({
      metadata: { resourceVersion: String(Date.parse(second(50))), creationTimestamp: second(0) },
      spec: { schedule: "0 0 * * *", timeZone: "Europe/Berlin", suspend: true, concurrencyPolicy: "Forbid" },
      status: { lastScheduleTime: second(20), lastSuccessfulTime: second(30) },
    });
  });

  it("has the defaults of Kubernetes where nothing was observed", () => {
    const { metadata, spec, status } = CRON_JOB_FORMAT.show(BARE);
    expect([metadata.resourceVersion, metadata.creationTimestamp, status]).toEqual(["0", null, {}]);
    expect(spec).toMatchObject({ schedule: "", suspend: false, concurrencyPolicy: "Allow" });
    expect(spec).not.toHaveProperty("timeZone");
  });

  it("is a row", () => {
    expect(cellsOf(FULL)).toEqual(["nightly", "0 0 * * *", "Europe/Berlin", "True", "40s", "60s", "10s"]);
    expect(cellsOf(BARE)).toEqual(["nightly", "<none>", "<none>", "False", "<none>", "<none>", "<none>"]);
  });

  it.each([
    ["", ["a", "b"]],
    ["fieldSelector=metadata.name!%3Da", ["b"]],
    ["labelSelector=app", []],
  ])("is listed if it matches %j", async (query, names) => {
    const story = new Story();
    for (const name of ["a", "b"]) story.cronJob(name, { name });
    const facts = [...(story.clusterContext.cronJobs?.values() ?? [])].flatMap(({ observed }) => observed ?? []);
    const { projections, meta, log } = await storesWithFacts(facts);
    const path = "/apis/batch/v1/cronjobs";
    const context = kubeContextOver({ jobs: projections.open("A"), meta, log });
    const page = await listKubeCronJobs(context, kubePath(path), kubeOptions(path, query));
    expect(page.outcome === "listed" ? page.rows.map(({ name }) => name) : page).toEqual(names);
  });
});
