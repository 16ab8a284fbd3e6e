import { describe, expect, it } from "vitest";
import { jobNameOf, targetOf } from "../../../cli/options/job-argument.ts";

describe("the name of a Job on the command line", () => {
  it.each(["report", "job/report", "jobs/report", "job.batch/report", "Job/report"])("is read from %s", (argument) => {
    expect(jobNameOf(argument)).toBe("report");
  });

  it.each(["", "job/", "pod/report", "a/b/c", ".", "job/.."])("is invalid in %j", (argument) => {
    expect(() => jobNameOf(argument)).toThrow(/NAME or job\//);
  });
});

describe("what an argument names", () => {
  it.each([
    ["jobsets.jobset.x-k8s.io/train", "jobsets.jobset.x-k8s.io", "train"],
    ["dagsterrun/a=b/c", "dagsterrun", "a=b/c"],
    ["dagrun/scheduled__2026-01-01T00:00:00+00:00", "dagrun", "scheduled__2026-01-01T00:00:00+00:00"],
  ])("is a run in %s", (argument, kind, name) => {
    expect(targetOf(argument)).toEqual({ type: "run", kind, name });
  });

  it.each(["report", "job/report"])("is a Job in %s", (argument) => {
    expect(targetOf(argument)).toEqual({ type: "job", name: "report" });
  });

  it.each(["job/a/b", "pod/a/b", "jobset/", "jobset/..", "a=b/c"])("is nothing in %s", (argument) => {
    expect(() => targetOf(argument)).toThrow(/NAME or job\//);
  });
});
