import { describe, expect, it } from "vitest";
import { isSelected } from "../../../src/query/list/job-filter.ts";
import { listFilter } from "../../../web/jobs/list-filter.ts";
import { listedJob, second } from "../../support/story/listed-job.ts";

const owner = { kind: "CronJob", name: "nightly", uid: "c" };
const job = listedJob({ uid: "1", name: "report", createdAt: second(10), labels: { team: "data" }, owner });
const NOW = Date.parse(second(20));

describe("the filter of the page's list", () => {
  it.each([
    { name: "report", namespace: job.namespace, cluster: job.cluster },
    { state: "failed,complete" },
    { labelSelector: "team in (data,ml)" },
    { fieldSelector: "state=Complete" },
    { owner: "CronJob/nightly" },
    { created: "1h", q: "anything" },
    { createdAfter: second(9), createdBefore: second(11) },
  ])("selects a changed Job as the API does: %o", (parameters) => {
    expect(isSelected("everything", listFilter(parameters, NOW), job)).toBe(true);
  });

  it.each([
    { name: "other" },
    { cluster: "other" },
    { state: "Failed" },
    { labelSelector: "team=ml" },
    { fieldSelector: "metadata.name=other" },
    { owner: "weekly" },
    { run: "JobSet/resnet" },
    { createdBefore: second(9) },
    { finishedBefore: second(0) },
    { waiting: "true" },
    { attention: "true" },
  ])("drops one that does not match: %o", (parameters) => {
    expect(isSelected("everything", listFilter(parameters, NOW), job)).toBe(false);
  });
});
