import { describe, expect, it } from "vitest";
import type { Completeness, Gap } from "../../../src/explain/answer-document.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { getJob } from "../../../src/query/job/get-job.ts";
import { answersOf, foldFacts } from "../../../src/query/job/fold-facts.ts";
import { RunFold } from "../../../src/query/job/fold-runs.ts";
import { getRun } from "../../../src/query/runs/get-run.ts";
import { RUN_GAPS } from "../../../src/query/runs/run-gaps.ts";
import { listRuns } from "../../../src/query/runs/list-runs.ts";
import { parentObserved } from "../../support/facts/parent-facts.ts";
import { runPortsWith } from "../../support/stores/run-ports.ts";
import { clusterOf } from "../../support/story/listed-job.ts";
import { dagsterJob, queuedJobSet, restartedJobSet, second } from "../../support/story/run-story.ts";

const EAST = clusterOf("east");
const NOW = second(120);

function gap(resource: string, from = 5, to = 8): Fact {
  const { epoch, resourceVersion, at } = parentObserved({ at: second(to) });
  return {
    epoch,
    resourceVersion,
    at,
    kind: "GapRecorded",
    gapId: `${resource}-${from}-${to}`,
    from: second(from),
    to: second(to),
    resources: [resource],
    reason: "restart",
  };
}

/** The gaps of the watches, without those of single Jobs. */
function recorded({ gaps = [] }: Partial<Completeness> = {}): readonly Gap[] {
  return gaps.filter(({ reason }) => reason === "restart");
}

/** What is said about JobSet "train", which completed at second 60: in its answer, a list, and a recording. */
async function trainWith(fact: Fact) {
  const facts = [...restartedJobSet(), fact];
  const ports = await runPortsWith(facts);
  const wanted = { cluster: EAST, namespace: "ml", kind: "jobset", name: "train" };
  const found = await getRun(ports, { scope: "everything", wanted }, NOW);
  const page = await listRuns(ports, "everything", { filter: {}, written: {}, limit: 5, now: NOW });
  const folded = await foldFacts(
    (async function* () {
      yield facts;
    })(),
  );
  const runs = new RunFold(folded.runs, folded.clusterContext);
  for (const _ of answersOf(folded, { cluster: EAST, now: NOW, pods: false, runs }));
  return {
    ports,
    answered: found.outcome === "answered" ? recorded(found.answer.completeness) : undefined,
    listed: page.outcome === "listed" ? recorded(page.items[0]?.completeness) : undefined,
    folded: recorded([...runs.answers(EAST, NOW)][0]?.completeness),
  };
}

describe("the completeness of a run", () => {
  it.each(["jobsets.jobset.x-k8s.io", "jobs", "pods"])("has the gaps of the watch of %s", async (resource) => {
    const { answered, listed, folded } = await trainWith(gap(resource));
    expect(answered).toEqual([
      { from: "2026-01-01T00:00:05Z", to: "2026-01-01T00:00:08Z", resources: [resource], reason: "restart" },
    ]);
    expect([listed, folded]).toEqual([answered, answered]);
  });

  it.each<[string, Fact]>([
    ["the watch of another kind", gap("rayjobs.ray.io")],
    ["Workloads, if no queue admits it", gap("workloads.kueue.x-k8s.io")],
    ["Jobs after its end", gap("jobs", 61, 70)],
  ])("has no gaps of %s", async (_, fact) => {
    const { answered, listed, folded } = await trainWith(fact);
    expect([answered, listed, folded]).toEqual([[], [], []]);
  });

  it.each<[string, number]>([
    ["jobs", 1],
    ["jobsets.jobset.x-k8s.io", 0],
  ])("changes with a gap of %s, of which its Jobs have %i", async (resource, gaps) => {
    const { ports, answered } = await trainWith(gap(resource, 25, 28));
    const wanted = { cluster: EAST, namespace: "ml", name: "train-worker-0" };
    const job = await getJob(ports, { scope: "everything", wanted }, { now: NOW });
    expect(answered).toHaveLength(1);
    expect(job.outcome === "answered" && recorded(job.answer.completeness)).toHaveLength(gaps);
  });

  it.each(["workloads.kueue.x-k8s.io", "jobsets.jobset.x-k8s.io"])(
    "of a queued run is not complete with a gap of %s",
    async (resource) => {
      const ports = await runPortsWith([...queuedJobSet(), gap(resource)]);
      const page = await listRuns(ports, "everything", { filter: {}, written: {}, limit: 5, now: second(10) });
      expect(page).toMatchObject({ items: [{ name: "next", completeness: { level: "gaps", gaps: [{}] } }] });
    },
  );

  it("has no gap after the last fact of a run that is known by its Jobs, all of which have ended", async () => {
    const ports = await runPortsWith([...dagsterJob("5f1a"), gap("jobs", 90, 95)]);
    const page = await listRuns(ports, "everything", { filter: {}, written: {}, limit: 5, now: NOW });
    const [run] = page.outcome === "listed" ? page.items : [];
    expect(run?.name).toBe("5f1a");
    expect(recorded(run?.completeness)).toEqual([]);
  });

  it("of a TrainJob has the gaps of its JobSet", async () => {
    const ports = await runPortsWith(queuedJobSet());
    const page = await listRuns(ports, "everything", { filter: {}, written: {}, limit: 5, now: NOW });
    const [run = expect.fail()] = page.outcome === "listed" ? page.items : [];
    const { resources } = RUN_GAPS.lifeOf({ ...run, kind: "TrainJob" });
    expect(resources).toEqual(expect.arrayContaining(["trainjobs.trainer.kubeflow.org", "jobsets.jobset.x-k8s.io"]));
  });
});
