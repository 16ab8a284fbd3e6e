import { describe, expect, it } from "vitest";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import { emptyRange, isSelected, type JobFilter, matchesJob, matchesRow } from "../../../src/query/list/job-filter.ts";
import { clusterOf, listedJob, second } from "../../support/story/listed-job.ts";

const createdAt = second(100);
const created = Date.parse(createdAt);
const owner = { kind: "CronJob", name: "nightly", uid: "cron-1" };
const job: JobAnswer = listedJob({ createdAt, owner, labels: { team: "data" } });
const finding = { kind: "CompletionLost", message: "", evidence: [] } as const;

describe("a filter of Jobs", () => {
  it.each<[JobFilter, boolean]>([
    [{}, true],
    [{ name: "report" }, true],
    [{ name: "repor" }, false],
    [{ states: ["Failed", "Complete"] }, true],
    [{ states: ["Failed"] }, false],
    [{ states: [] }, false],
    [{ owner: "CronJob/nightly" }, true],
    [{ run: "other", runsFound: [{ cluster: clusterOf(job.cluster), uid: "x", jobs: new Set([job.uid]) }] }, true],
    [{ run: job.name, runsFound: [{ cluster: clusterOf("west"), uid: "x", jobs: new Set([job.uid]) }] }, false],
    [{ owner: "nightly" }, true],
    [{ owner: "cron-1" }, true],
    [{ owner: "Job/nightly" }, false],
    [{ labels: [{ key: "team", operator: "in", values: ["data"] }] }, true],
    [{ labels: [{ key: "team", operator: "notExists" }] }, false],
    [{ waiting: true }, false],
    [{ createdAfter: created }, false],
    [{ createdAfter: created - 1 }, true],
    [{ createdBefore: created }, false],
    [{ createdBefore: created + 1 }, true],
    [{ deletedAfter: 0 }, false],
    [{ deletedBefore: created * 2 }, false],
  ])("%j matches: %s", (filter, matches) => {
    expect(matchesJob(filter, job)).toBe(matches);
  });

  it("takes attention from the findings of a Job, and from the row of a listed one", () => {
    const attention: JobFilter = { attention: true };
    expect(isSelected("everything", attention, job)).toBe(false);
    expect(isSelected("everything", attention, { ...job, findings: [finding] })).toBe(true);
    expect(matchesRow(attention, { attention: true }, job)).toBe(true);
    expect(matchesRow(attention, { attention: false }, { ...job, findings: [finding] })).toBe(false);
  });

  it("selects no Job outside of the scope", () => {
    const grants = [{ cluster: "east", namespaces: ["other"] }];
    expect(isSelected({ grants }, {}, job)).toBe(false);
    expect(isSelected({ grants: [{ cluster: "east", namespaces: "all" }] }, {}, job)).toBe(true);
  });

  it.each<[JobFilter, string | undefined]>([
    [{ createdAfter: 1, createdBefore: 2 }, undefined],
    [{ createdAfter: 2, createdBefore: 2 }, "createdAt"],
    [{ createdAfter: 1, finishedAfter: 3, finishedBefore: 2 }, "finishedAt"],
    [{ deletedBefore: 2 }, undefined],
  ])("%j has an empty range: %s", (filter, field) => {
    expect(emptyRange(filter)).toBe(field);
  });
});
