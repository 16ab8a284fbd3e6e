import { describe, expect, it } from "vitest";
import { runRowOf } from "../../../src/archive/rows/run-rows.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { decodeJobUid } from "../../../src/job/model/ids.ts";
import { recordOf } from "../../../src/projection/run-state/project-run.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { runPortsWith } from "../../support/stores/run-ports.ts";
import { dagsterJob, queuedJobSet, restartedJobSet } from "../../support/story/run-story.ts";

const cluster = clusterNamed("east");

async function rowsOf(facts: readonly Fact[]) {
  const { runs } = await runPortsWith(facts);
  const [namespace = ""] = facts.flatMap((fact) => ("namespace" in fact ? [fact.namespace] : []));
  const { rows } = await runs.list({ cluster, namespace }, { limit: 9 });
  return rows.map(({ jobUid, summary }) => {
    const record = recordOf(decodeJobUid(jobUid) ?? "", { bytes: summary });
    return runRowOf({ cluster, record, revision: 3 });
  });
}

describe("the row of a run", () => {
  it("has its attempts, Jobs and end", async () => {
    const [row] = await rowsOf(restartedJobSet());
    expect(row).toMatchObject({ table: "runs", day: "2026-01-01" });
    expect(row?.row).toMatchObject({
      kind: "JobSet",
      name: "train",
      key: "train-uid",
      verdict_state: "Complete",
      verdict_final: true,
      attempts: 2,
      jobs_total: 4,
      jobs_complete: 2,
      usage_pods: 4,
      usage_pod_seconds_failed: 10,
      usage_cpu_core_seconds_kept: 60,
      revision: 3,
    });
    expect(row?.row["members"]).toHaveLength(4);
  });

  it("has its external ids, and is not final if labels alone name it", async () => {
    const [row] = await rowsOf(dagsterJob("r1"));
    expect(row?.row).toMatchObject({ external_ids: { "dagster/run-id": "r1" }, verdict_final: false });
  });

  it("is absent until the run has ended", async () => {
    expect(await rowsOf(queuedJobSet())).toEqual([undefined]);
  });
});
