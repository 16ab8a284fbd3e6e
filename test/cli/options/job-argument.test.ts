import { describe, expect, it } from "vitest";
import { jobNameOf } from "../../../cli/options/job-argument.ts";

describe("the name of a Job on the command line", () => {
  it.each(["report", "job/report", "jobs/report", "job.batch/report", "Job/report"])("is read from %s", (argument) => {
    expect(jobNameOf(argument)).toBe("report");
  });

  it.each(["", "job/", "pod/report", "a/b/c", ".", "job/.."])("is invalid in %j", (argument) => {
    expect(() => jobNameOf(argument)).toThrow(/NAME or job\//);
  });
});
