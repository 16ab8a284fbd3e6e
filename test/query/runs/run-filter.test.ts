import { beforeAll, describe, expect, it } from "vitest";
import type { RunAnswer } from "../../../src/explain/run/run-document.ts";
import { parseInstant } from "../../../src/job/model/instant.ts";
import { answerRow } from "../../../src/query/runs/answer-row.ts";
import { doubtAbout, isInSeries, matchesRun, type RunFilter } from "../../../src/query/runs/run-filter.ts";
import { runPortsWith } from "../../support/stores/run-ports.ts";
import { clusterOf } from "../../support/story/listed-job.ts";
import { dagsterJob, restartedJobSet, second } from "../../support/story/run-story.ts";

const cluster = clusterOf("east");
/** A completed JobSet, and a run of Dagster, which has a series and an id. */
let train: RunAnswer;
let load: RunAnswer;

beforeAll(async () => {
  const { runs } = await runPortsWith([...restartedJobSet(), ...dagsterJob("5f1a")]);
  const one = async (namespace: string) => {
    const { rows } = await runs.list({ cluster, namespace }, { limit: 2 });
    const [answer] = rows.flatMap((row) => answerRow({ ...row, cluster }) ?? []);
    if (answer === undefined) throw new Error(`No run in ${namespace}`);
    return answer;
  };
  train = await one("ml");
  load = await one("data");
});

describe("a filter of runs", () => {
  it.each<[RunFilter, boolean]>([
    [{}, true],
    [{ cluster }, true],
    [{ cluster: clusterOf("west") }, false],
    [{ namespace: "ml" }, true],
    [{ namespace: "data" }, false],
    [{ name: "train" }, true],
    [{ name: "trai" }, false],
    [{ kind: "JOBSETS" }, true],
    [{ kind: "RayJob" }, false],
    [{ states: ["Failed", "Complete"] }, true],
    [{ states: ["Failed"] }, false],
    [{ states: [] }, false],
    [{ series: "train" }, false],
    [{ externalId: "dagster/run-id=5f1a" }, false],
    [{ createdAfter: second(-1), createdBefore: second(1) }, true],
    [{ createdAfter: second(0) }, false],
    [{ createdBefore: second(0) }, false],
    [{ finishedAfter: second(59), finishedBefore: second(61) }, true],
    [{ finishedAfter: second(60) }, false],
    [{ finishedBefore: second(60) }, false],
    [{ namespace: "ml", name: "other" }, false],
  ])("%j matches a completed JobSet: %s", (filter, matches) => {
    expect(matchesRun(filter, train)).toBe(matches);
  });

  it.each<[RunFilter, boolean]>([
    [{ series: "load" }, true],
    [{ series: "dagsterjob/LOAD" }, true],
    [{ series: "DAG/load" }, false],
    [{ externalId: "dagster/run-id=5f1a" }, true],
    [{ externalId: "dagster/run-id=5f1" }, false],
    [{ externalId: "airflow/run_id=5f1a" }, false],
    [{ kind: "dagsterrun" }, true],
  ])("%j matches a run of Dagster: %s", (filter, matches) => {
    expect(matchesRun(filter, load)).toBe(matches);
  });

  it("with a bound matches no run without that time", () => {
    const { finishedAt, ...unfinished } = train;
    expect(parseInstant(finishedAt)).toBe(second(60));
    expect(matchesRun({ finishedAfter: second(0) }, unfinished)).toBe(false);
    expect(matchesRun({}, unfinished)).toBe(true);
  });
});

describe("a filter that may match nothing", () => {
  it.each([
    [{ kind: "dagruns" }, /^Kind "dagruns" is not built in\. Did you mean dagrun\? Built in: JobSet, /],
    [{ kind: "experiment" }, /^Kind "experiment" is not built in\. Built in: JobSet, /],
    [{ externalId: "acme/trial=1" }, /^Id "acme\/trial" is not built in\. Of a kind of yours, only the first id finds/],
  ])("is %j", (filter, doubt) => {
    expect(doubtAbout(filter)).toMatch(doubt);
  });

  it.each([{}, { kind: "jobsets" }, { externalId: "dagster/run-id=5f1a" }])("is not %j", (filter) => {
    expect(doubtAbout(filter)).toBeUndefined();
  });
});

describe("a Job of a RayCronJob", () => {
  const series = { kind: "RayCronJob", name: "nightly", uid: "c-1" };

  it.each([
    ["nightly", true],
    ["c-1", true],
    ["RayCronJob/nightly", true],
    ["raycronjobs/NIGHTLY", true],
    ["raycronjobs.ray.io/nightly", true],
    ["JobSet/nightly", false],
    ["raycronjob/night", false],
    ["RayCronJob", false],
  ])("is in the series %s: %s", (wanted, expected) => {
    expect(isInSeries({ series }, wanted)).toBe(expected);
    expect(isInSeries({}, wanted)).toBe(false);
  });
});
