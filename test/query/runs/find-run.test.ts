import { describe, expect, it } from "vitest";
import type { Scope } from "../../../src/query/access/scope.ts";
import { findRun, findRunByName, type RunReference } from "../../../src/query/runs/find-run.ts";
import { countedStore } from "../../support/stores/counted-store.ts";
import { runPortsWith } from "../../support/stores/run-ports.ts";
import { clusterOf } from "../../support/story/listed-job.ts";
import { queuedJobSet, restartedJobSet } from "../../support/story/run-story.ts";

const TRAIN: RunReference = { cluster: clusterOf("east"), namespace: "ml", kind: "jobset", name: "train" };
const THEIRS: Scope = { grants: [{ cluster: "east", namespaces: ["theirs"] }] };

async function find(wanted: Partial<RunReference> = {}, scope: Scope = "everything") {
  const ports = await runPortsWith([
    ...restartedJobSet(),
    ...restartedJobSet({ uid: "earlier-uid" }).filter((fact) => fact.kind === "ParentObserved"),
    ...queuedJobSet(),
  ]);
  return findRun(ports, { scope, wanted: { ...TRAIN, ...wanted } });
}

describe("a run by name", () => {
  it.each(["jobset", "JobSet", "jobsets", "jobsets.jobset.x-k8s.io"])("is found as a %s", async (kind) => {
    expect(await find({ kind })).toMatchObject({ outcome: "found", answer: { name: "train" } });
  });

  it("is one of those that had the name, and the others are named", async () => {
    const found = await find();
    expect(found.outcome === "found" && new Set([found.answer.uid, ...found.others])).toEqual(
      new Set(["earlier-uid", "train-uid"]),
    );
  });

  it.each([
    ["earlier-uid", "train-uid"],
    ["train-uid", "earlier-uid"],
  ])("is that with uid %s", async (uid, other) => {
    expect(await find({ uid })).toMatchObject({ outcome: "found", record: { uid }, others: [other] });
  });

  it("is unknown with another uid", async () => {
    expect(await find({ uid: "none" })).toEqual({ outcome: "unknownRun", near: ["JobSet/train"] });
  });
});

describe("an unknown run", () => {
  it.each([
    [{ name: "trains" }, ["JobSet/train"]],
    [{ kind: "rayjob" }, ["JobSet/train"]],
    [{ name: "something-else" }, []],
    [{ namespace: "theirs" }, []],
  ])("%j has suggestions of its namespace", async (wanted, near) => {
    expect(await find(wanted)).toEqual({ outcome: "unknownRun", near });
  });

  it("of an unknown cluster names the known ones", async () => {
    expect(await find({ cluster: clusterOf("west") })).toEqual({ outcome: "unknownCluster", near: ["east"] });
  });

  it("is one that the reader may not see, without suggestions", async () => {
    expect(await find({}, THEIRS)).toEqual({ outcome: "unknownRun", near: [] });
  });

  it("has no suggestions in a poll, which asks one list", async () => {
    const { runs, ...ports } = await runPortsWith(restartedJobSet());
    const requests: string[] = [];
    const counted = { ...ports, runs: countedStore(runs, requests) };
    const wanted = { ...TRAIN, name: "trains" };
    expect(await findRunByName(counted, { scope: "everything", wanted })).toBeUndefined();
    expect(requests).toEqual(["listByName"]);
  });
});
