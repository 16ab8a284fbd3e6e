import { describe, expect, it } from "vitest";
import { define } from "../../../cli/commands/get.ts";
import { jobOfWork } from "../../support/story/run-story.ts";
import { commandOverRuns } from "./runs-of-database.ts";

const get = commandOverRuns(define, [
  ...jobOfWork("odd", { marks: { "dagster/run-id": "a=b/c+d:e" } }),
  ...["load", "store"].flatMap((dag) => jobOfWork(dag, { labels: { dag_id: dag, task_id: "a", run_id: "daily" } })),
]);

describe("outlive get, for runs", () => {
  it("prints one run", async () => {
    const { stdout, error } = await get("jobset/train", "-n", "ml", "-o", "json");
    expect(error).toBeUndefined();
    expect(JSON.parse(stdout)).toMatchObject({ kind: "JobSet", name: "train", verdict: { state: "Complete" } });
  });

  it("prints several", async () => {
    const { stdout } = await get("jobset/train", "jobsets/next", "-n", "ml", "-o", "name");
    expect(stdout).toBe("jobset/train\njobset/next\n");
  });

  it("prints the known ones, and fails for the others", async () => {
    const { stdout, error } = await get("jobset/train", "jobset/none", "-n", "ml", "-o", "name");
    expect(stdout).toBe("jobset/train\n");
    expect(error).toMatchObject({ message: expect.stringContaining("jobset/none") as string });
  });

  it("selects one by its uid", async () => {
    expect((await get("jobset/train", "-n", "ml", "--uid", "train-uid", "-o", "name")).stdout).toBe("jobset/train\n");
    expect((await get("jobset/train", "-n", "ml", "--uid", "none")).error).toMatchObject({
      message: expect.stringContaining('with uid "none"') as string,
    });
  });

  it("prints one whose name is no name of an object", async () => {
    const { stdout, error } = await get("dagsterrun/a=b/c+d:e", "-n", "data", "-o", "name");
    expect([stdout, error]).toEqual(["dagsterrun/a=b/c+d:e\n", undefined]);
  });

  it("says what the Pods of a run reserved", async () => {
    const { stderr } = await get("jobset/train", "-n", "ml");
    expect(stderr).toBe("4 Pods reserved 1 min 10 s (cpu 0.0194 core h): 86 % kept, 14 % failed.\n");
  });

  it("names the other runs of a name, also those without an object", async () => {
    const { stdout, stderr } = await get("dagrun/daily", "-n", "data", "-o", "jsonpath={.series.name} {.otherUids[0]}");
    const [series, other = ""] = stdout.split(" ");
    expect((await get("dagrun/daily", "-n", "data")).stderr).toBe(
      `2 runs had the name DagRun/daily; this is one of them. Others: --uid ${other}.\n`,
    );
    const { stdout: otherSeries } = await get(
      "dagrun/daily",
      "-n",
      "data",
      "--uid",
      other,
      "-o",
      "jsonpath={.series.name}",
    );
    expect(new Set([series, otherSeries])).toEqual(new Set(["load", "store"]));
    expect(stderr).toBe("");
  });

  it.each([
    [["jobset/train", "job/train-worker-0"], "Name Jobs or runs: jobset/train is a run."],
    [["jobset/train", "--as-of", "2026-01-01T00:00:10Z"], "--as-of is for Jobs, and jobset/train is a run."],
    [["jobset/train", "--pods"], "--pods is for Jobs, and jobset/train is a run."],
  ])("refuses %j", async (args, message) => {
    expect(await get(...args, "-n", "ml")).toMatchObject({ stdout: "", error: { exitStatus: 2, message } });
  });
});
