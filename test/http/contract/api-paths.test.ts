import { describe, expect, it } from "vitest";
import { cronRunsPath, jobPath, pathWith, runPath } from "../../../src/http/contract/api-paths.ts";

describe("a path of the API", () => {
  it("of a Job escapes its names", () => {
    expect(jobPath({ cluster: "a/b", namespace: "n", name: "j?" }, "/pods")).toBe(
      "/v1/clusters/a%2Fb/namespaces/n/jobs/j%3F/pods",
    );
  });

  it("of a run has its kind", () => {
    expect(runPath({ cluster: "a", namespace: "n", kind: "jobset", name: "t/1" })).toBe(
      "/v1/clusters/a/namespaces/n/runs/jobset/t%2F1",
    );
  });

  it("of the runs of a CronJob escapes its names", () => {
    expect(cronRunsPath({ cluster: "a/b", namespace: "n", name: "c?" })).toBe(
      "/v1/clusters/a%2Fb/namespaces/n/cronjobs/c%3F/runs",
    );
  });

  it.each([
    [{}, "/v1/jobs"],
    [{ limit: 5, name: undefined, attention: true }, "/v1/jobs?limit=5&attention=true"],
  ])("with the query %j is %s", (query, path) => {
    expect(pathWith("/v1/jobs", query)).toBe(path);
  });
});
