import { describe, expect, it } from "vitest";
import { answerKubernetes } from "../../../src/http/kubectl/answer-kubernetes.ts";
import { listKubeRuns, runFormat } from "../../../src/http/kubectl/kube-runs.ts";
import type { Scope } from "../../../src/query/access/scope.ts";
import { kubeContextOver, kubeOptions, kubePath } from "../../support/http/kube-question.ts";
import { parentDeleted } from "../../support/facts/parent-facts.ts";
import { storesWithFacts } from "../../support/stores/stores-with-facts.ts";
import { queuedJobSet, restartedJobSet, second } from "../../support/story/run-story.ts";

const JOB_SETS = "/apis/jobset.x-k8s.io/v1alpha2/jobsets";
const OF_ML = JOB_SETS.replace("/jobsets", "/namespaces/ml/jobsets");

/** JobSets of namespace "ml": "train" is complete and deleted, and "next" waits. */
async function contextWith(scope: Scope = "everything") {
  const deleted = {
    ...parentDeleted(second(90)),
    name: "train",
    namespace: "ml",
    uid: "train-uid",
    runUid: "train-uid",
  };
  const { projections, meta, log } = await storesWithFacts([...restartedJobSet(), deleted, ...queuedJobSet()]);
  return { ...kubeContextOver({ jobs: projections.open("A"), runs: projections.runs("A"), meta, log }), scope };
}

async function namesOf(path: string, query = "", scope?: Scope) {
  const page = await listKubeRuns(await contextWith(scope), kubePath(path), kubeOptions(path, query));
  return page.outcome === "listed" ? page.rows.map(({ name }) => name) : page;
}

async function found(name: string) {
  const path = kubePath(`${OF_ML}/${name}`);
  const page = await listKubeRuns(await contextWith(), path, kubeOptions(JOB_SETS));
  const [run] = page.outcome === "listed" ? page.rows : [];
  if (run === undefined) throw new Error(`There is no run ${name}.`);
  const { columns, show } = runFormat(path.resource);
  return { object: show(run), cells: columns.map(({ cell }) => cell(run, second(120))) };
}

const grant = (namespace: string): Scope => ({ grants: [{ cluster: "east", namespaces: [namespace] }] });

describe("runs as kubectl sees them", () => {
  it.each([
    [JOB_SETS, "", ["next", "train"]],
    [OF_ML, "", ["next", "train"]],
    [`${OF_ML}/train`, "", ["train"]],
    [JOB_SETS.replace("/jobsets", "/namespaces/other/jobsets"), "", []],
    [JOB_SETS, "fieldSelector=metadata.name%3Dnext", ["next"]],
    [JOB_SETS, "fieldSelector=metadata.name!%3Dnext", ["train"]],
    [JOB_SETS, "labelSelector=team%3Dml", []],
    ["/apis/ray.io/v1/rayjobs", "", []],
    ["/apis/trainer.kubeflow.org/v1alpha1/trainjobs", "", []],
    ["/apis/argoproj.io/v1alpha1/workflows", "", []],
  ])("are listed by kind, also deleted ones: %s?%s", async (path, query, names) => {
    expect(await namesOf(path, query)).toEqual(names);
  });

  it("are those of the namespaces that the reader may see", async () => {
    expect(await namesOf(JOB_SETS, "", grant("ml"))).toEqual(["next", "train"]);
    expect(await namesOf(JOB_SETS, "", grant("shop"))).toEqual([]);
  });

  it("continue where a page ends, and refuse another token", async () => {
    expect(await namesOf(JOB_SETS, "limit=1")).toEqual(["next"]);
    expect(await namesOf(JOB_SETS, "continue=wrong")).toMatchObject({ outcome: "badToken" });
  });

  it("are none without stored runs", async () => {
    const { projections, meta, log } = await storesWithFacts(restartedJobSet());
    const context = kubeContextOver({ jobs: projections.open("A"), meta, log });
    const page = await listKubeRuns(context, kubePath(JOB_SETS), kubeOptions(JOB_SETS));
    expect(page).toEqual({ outcome: "listed", rows: [] });
  });

  it("are not found by a name that no run had", async () => {
    const path = kubePath(`${OF_ML}/trian`);
    expect(await answerKubernetes(await contextWith(), path, kubeOptions(JOB_SETS))).toMatchObject({
      outcome: "refused",
      status: { reason: "NotFound", message: 'jobsets.jobset.x-k8s.io "trian" not found' },
    });
  });
});

describe("a run as kubectl sees it", () => {
  it("has the condition that its kind has, when it was deleted, and its Jobs", async () => {
    const { object, cells } = await found("train");
    expect(object).toMatchObject({
      apiVersion: "jobset.x-k8s.io/v1alpha2",
      kind: "JobSet",
      metadata: {
        name: "train",
        uid: "train-uid",
        creationTimestamp: new Date(second(0)).toISOString().replace(".000", ""),
        resourceVersion: String(second(90)),
        annotations: {
          "outlive/cluster": "east",
          "outlive/verdict": "Complete",
          "outlive/deleted-at": "2026-01-01T00:01:30Z",
        },
      },
      status: { restarts: 1, conditions: [{ type: "Completed", status: "True", reason: "AllJobsCompleted" }] },
    });
    expect(cells.slice(0, 6)).toEqual(["train", "Complete", "2", "2/4", "2m", "30s"]);
  });

  it("has no condition while it goes on, and its queue", async () => {
    const { object, cells } = await found("next");
    expect(object.status).toMatchObject({ restarts: 0, conditions: [] });
    expect(cells[1]).toBe("Queued");
    expect(cells.at(-1)).not.toBe("<none>");
  });
});
