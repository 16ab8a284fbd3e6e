import { describe, expect, it } from "vitest";
import { runColumns, runResourceName } from "../../../cli/output/run-columns.ts";
import type { RunAnswer } from "../../../src/explain/run/run-document.ts";
import { pollRun } from "../../../src/query/runs/get-run.ts";
import { runPortsWith } from "../../support/stores/run-ports.ts";
import { clusterOf } from "../../support/story/listed-job.ts";
import { queuedJobSet, restartedJobSet, second } from "../../support/story/run-story.ts";

const NOW = second(3_600);

async function runNamed(name: string): Promise<RunAnswer> {
  const wanted = { cluster: clusterOf("east"), namespace: "ml", kind: "jobset", name };
  const ports = await runPortsWith([...restartedJobSet(), ...queuedJobSet()]);
  const run = await pollRun(ports, { scope: "everything", wanted }, second(61));
  if (run === undefined) throw new Error(`No run ${name}`);
  return run;
}

const cellsOf = (run: RunAnswer) =>
  Object.fromEntries(
    runColumns(NOW, { cluster: false, namespace: false }).map(({ header, cell }) => [header, cell(run)]),
  );

describe("the columns of runs", () => {
  it.each([
    [{ cluster: false, namespace: false }, ["KIND", "NAME", "STATUS"]],
    [{ cluster: true, namespace: true }, ["CLUSTER", "NAMESPACE", "KIND"]],
  ])("%j begin with %j", (shown, headers) => {
    expect(
      runColumns(NOW, shown)
        .slice(0, 3)
        .map(({ header }) => header),
    ).toEqual(headers);
  });

  it("show a completed run with its attempts and Jobs", async () => {
    expect(cellsOf(await runNamed("train"))).toMatchObject({
      KIND: "JobSet",
      NAME: "train",
      STATUS: "Complete",
      ATTEMPTS: 2,
      JOBS: "2/4",
      DURATION: "60s",
      AGE: "60m",
      UID: "train-uid",
    });
  });

  it("say that a run may have more Jobs than are stored", async () => {
    const run = await runNamed("train");
    expect(cellsOf({ ...run, jobs: { ...run.jobs, atLeast: true } })["JOBS"]).toBe("2/4+");
  });

  it("show what a run waits for, without a duration", async () => {
    const run = await runNamed("next");
    expect(cellsOf(run)).toMatchObject({ STATUS: "Queued", QUEUE: "main", JOBS: "0/0" });
    expect(cellsOf(run)["DURATION"]).toBeUndefined();
  });

  it("have numbers of their own in CSV", async () => {
    const run = await runNamed("train");
    const cells = runColumns(NOW, { cluster: false, namespace: false })
      .flatMap(({ csv = [] }) => csv)
      .map(({ header, cell }) => [header, cell(run)]);
    expect(Object.fromEntries(cells)).toMatchObject({
      JOBS: 4,
      "JOBS-COMPLETE": 2,
      "JOBS-FAILED": 1,
      "DURATION-SECONDS": 60,
      FINISHED: "2026-01-01T00:01:00Z",
    });
  });
});

describe("a run in -o name", () => {
  it("has the form that commands take", () => {
    expect(runResourceName({ kind: "JobSet", name: "train" })).toBe("jobset/train");
  });
});
