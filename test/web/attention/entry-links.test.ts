import { describe, expect, it } from "vitest";
import { entryLinks } from "../../../web/attention/entry-links.ts";
import { attentionEntry, NEWEST, NIGHTLY } from "../../support/story/attention-entry.ts";

describe("the links of an entry", () => {
  it("about a CronJob lead to it, to its newest Job and to all of them", () => {
    expect(entryLinks(attentionEntry({ group: NIGHTLY, newest: NEWEST }))).toEqual({
      kind: "CronJob",
      name: "nightly",
      subject: "#/cronjobs/east/batch/nightly",
      newestJob: "#/job/east/batch/nightly-1?uid=u-1",
      jobs: "#/jobs?cluster=east&namespace=batch&attention=true&owner=CronJob%2Fnightly",
      opens: "#/job/east/batch/nightly-1?uid=u-1",
    });
  });

  it("about a CronJob that missed a run open the CronJob", () => {
    const { opens, newestJob, jobs } = entryLinks(attentionEntry({ group: NIGHTLY, jobs: 0 }));
    expect([opens, newestJob, jobs]).toEqual(["#/cronjobs/east/batch/nightly", undefined, undefined]);
  });

  it("about a run open the run", () => {
    const group = { type: "run", kind: "JobSet", name: "resnet", uid: "r-1" } as const;
    const { opens, jobs } = entryLinks(attentionEntry({ group }));
    expect(opens).toBe("#/runs/east/batch/JobSet/resnet?uid=r-1");
    expect(jobs).toBe("#/jobs?cluster=east&namespace=batch&attention=true&run=JobSet%2Fresnet");
  });

  it("about another series lead to its runs", () => {
    const group = { type: "series", kind: "DAG", name: "etl" } as const;
    expect(entryLinks(attentionEntry({ group })).subject).toBe("#/runs?cluster=east&namespace=batch&series=DAG%2Fetl");
  });

  it("about one Job on its own open it", () => {
    const links = entryLinks(attentionEntry({ newest: NEWEST, jobs: 1 }));
    expect([links.kind, links.name, links.subject]).toEqual(["Job", "nightly-1", links.newestJob]);
    expect(links.jobs).toBeUndefined();
  });

  it("about Jobs of a namespace lead to those with the finding", () => {
    const links = entryLinks(attentionEntry({ newest: NEWEST }));
    expect([links.kind, links.name, links.subject]).toEqual(["Jobs in namespace", "batch", undefined]);
    expect(links.jobs).toBe("#/jobs?cluster=east&namespace=batch&attention=true&q=LimitReached");
  });
});
