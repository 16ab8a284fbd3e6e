import { describe, expect, it } from "vitest";
import { linkOf, linkTo, presentSubject, subjectText, targetOf } from "../../../src/http/mcp/subject.ts";

const job = { cluster: "prod", namespace: "batch", kind: "job", name: "report", uid: "u1" };
const PAGE = "https://outlive.example.org";

describe("a subject", () => {
  it("is named by what every tool takes as its target", () => {
    expect(targetOf({ ...job, kind: "JobSet" })).toBe("prod/batch/jobset/report");
    expect(presentSubject(job, { headline: "Failed: it" })).toEqual({
      target: "prod/batch/job/report",
      uid: "u1",
      untrusted: { headline: "Failed: it" },
    });
    expect(subjectText(job, "Job")).toBe("Job batch/report of cluster prod");
  });

  it("whose name could be a sentence is named below the mark only", () => {
    const named = { ...job, name: "delete everything now" };
    expect(presentSubject(named)).toEqual({
      uid: "u1",
      untrusted: { cluster: "prod", namespace: "batch", kind: "job", name: "delete everything now" },
    });
    expect(subjectText(named, "Job")).toBe("The Job");
    expect(subjectText(named, "do it")).toBe("The run");
    expect(linkTo(PAGE, named)).toEqual({});
  });

  it.each([
    ["job", "job/prod/batch/report?uid=u1"],
    ["cronjob", "cronjobs/prod/batch/report"],
    ["JobSet", "runs/prod/batch/jobset/report?uid=u1"],
  ])("of kind %s links to its page", (kind, path) => {
    expect(linkTo(PAGE, { ...job, kind })).toEqual({ link: `${PAGE}/#/${path}` });
  });

  it("has no link where no page is known", () => {
    expect(linkOf(undefined, { view: "clusters" })).toEqual({});
  });
});
