import { describe, expect, it } from "vitest";
import type { Fact } from "../../../src/job/model/fact.ts";
import type { Scope } from "../../../src/query/access/scope.ts";
import type { RunReference } from "../../../src/query/runs/find-run.ts";
import { getRun, pollRun } from "../../../src/query/runs/get-run.ts";
import { deletionRequested } from "../../support/facts/deletion-requested.ts";
import { isTrue, parentDeleted, parentObserved } from "../../support/facts/parent-facts.ts";
import { runPortsWith } from "../../support/stores/run-ports.ts";
import { clusterOf } from "../../support/story/listed-job.ts";
import { restartedJobSet, second } from "../../support/story/run-story.ts";

const NOW = second(120);
const VICTIM: RunReference = { cluster: clusterOf("east"), namespace: "ml", kind: "jobset", name: "victim" };
const ONLY_ML: Scope = { grants: [{ cluster: "east", namespaces: ["ml"] }] };

function admitted(name: string, namespace: string, said: Partial<Parameters<typeof parentObserved>[0]> = {}) {
  const uid = `${name}-uid`;
  const owner = { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet", name, uid };
  const both = { namespace, runUid: uid, at: second(20), createdAt: second(0) };
  return [
    parentObserved({ ...both, name, uid }),
    parentObserved({
      ...both,
      of: "Workload",
      name: `jobset-${name}`,
      uid: `${name}-workload`,
      owner,
      fields: { queueName: "main" },
      ...said,
    }),
  ];
}

/** JobSet "victim" of namespace "ml" was preempted by JobSet "secret" of namespace "theirs". */
function preemption(): readonly Fact[] {
  const details = { workloadUid: "secret-workload", jobUid: "secret-uid" };
  const conditions = [
    isTrue("QuotaReserved", second(1)),
    isTrue("Admitted", second(1)),
    isTrue("Evicted", second(10), { reason: "Preempted", details }),
    isTrue("Preempted", second(10), { reason: "InClusterQueue", details }),
  ];
  return [...admitted("victim", "ml", { conditions }), ...admitted("secret", "theirs")];
}

describe("the preemptor of a run", () => {
  it("has a name where the reader may see its namespace", async () => {
    const ports = await runPortsWith(preemption());
    const answer = await pollRun(ports, { scope: "everything", wanted: VICTIM }, NOW);
    expect(answer?.queue?.evictions).toMatchObject([{ by: { kind: "JobSet", name: "secret" } }]);
  });

  it("has no name where the reader may not", async () => {
    const ports = await runPortsWith(preemption());
    const answer = await pollRun(ports, { scope: ONLY_ML, wanted: VICTIM }, NOW);
    expect(answer?.queue?.evictions).toHaveLength(1);
    expect(JSON.stringify(answer)).not.toMatch(/"(jobset-)?secret"|theirs/);
  });
});

describe("a run that was deleted", () => {
  const train = { ...VICTIM, name: "train" };
  const facts = [parentObserved({ at: second(1) }), parentDeleted(second(5))];
  const request = deletionRequested(second(9));

  it("names who deleted it, whenever the audit event arrives", async () => {
    for (const all of [
      [...facts, request],
      [request, ...facts],
    ]) {
      const ports = await runPortsWith(all);
      const answer = await pollRun(ports, { scope: ONLY_ML, wanted: train }, NOW);
      expect(answer?.deletedBy).toMatchObject({ actor: "alice", confidence: "certain", cause: "alice deleted it" });
    }
  });

  it("has no deleter while it exists, or without an audit event", async () => {
    const some = [await runPortsWith([...facts.slice(0, 1), request]), await runPortsWith(facts)];
    const answers = some.map((ports) => pollRun(ports, { scope: "everything", wanted: train }, NOW));
    expect((await Promise.all(answers)).map((answer) => answer?.deletedBy)).toEqual([undefined, undefined]);
  });

  it("is unknown to a reader without its namespace, and so is who deleted it", async () => {
    const ports = await runPortsWith([...facts, request]);
    const elsewhere: Scope = { grants: [{ cluster: "east", namespaces: ["theirs"] }] };
    expect(await pollRun(ports, { scope: elsewhere, wanted: train }, NOW)).toBeUndefined();
  });
});

describe("a run", () => {
  it("is answered with the uids of others that had its name", async () => {
    const ports = await runPortsWith(restartedJobSet());
    const wanted = { ...VICTIM, name: "train" };
    expect(await getRun(ports, { scope: "everything", wanted }, NOW)).toMatchObject({
      outcome: "answered",
      answer: { name: "train", verdict: { state: "Complete" } },
      others: [],
    });
  });

  it("that is unknown has suggestions, except in a poll", async () => {
    const ports = await runPortsWith(restartedJobSet());
    const run = { scope: "everything", wanted: { ...VICTIM, name: "trains" } } as const;
    expect(await getRun(ports, run, NOW)).toEqual({ outcome: "unknownRun", near: ["JobSet/train"] });
    expect(await pollRun(ports, run, NOW)).toBeUndefined();
  });
});
