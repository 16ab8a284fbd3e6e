import { describe, expect, it } from "vitest";
import type { Fact } from "../../../src/job/model/fact.ts";
import { compareRuns } from "../../../src/query/compare/compare-runs.ts";
import { isTrue, parentObserved } from "../../support/facts/parent-facts.ts";
import { gapBetween } from "../../support/story/compared-story.ts";
import { clusterOf } from "../../support/story/listed-job.ts";
import { restartedJobSet, second } from "../../support/story/run-story.ts";
import { storesWithFacts } from "../../support/stores/stores-with-facts.ts";

const NOW = Date.parse("2026-01-02T00:00:00Z");

async function compare(facts: readonly Fact[], [kind, name]: readonly [string, string], other?: string) {
  const { projections, meta, log } = await storesWithFacts(facts);
  const ports = { jobs: projections.open("A"), runs: projections.runs("A"), meta, log };
  const wanted = { cluster: clusterOf("east"), namespace: "ml", kind, name };
  const found = await compareRuns(ports, { scope: "everything", wanted }, { other, now: NOW });
  return found.outcome === "compared" ? found.comparison : found;
}

/** A JobSet of hour `hour`, whose Jobs are all gone. */
function setOf(uid: string, hour: number, ended: "Completed" | "Failed"): Fact {
  const [createdAt, at] = [second(hour * 3_600), second(hour * 3_600 + 60)];
  return parentObserved({ at, createdAt, uid, runUid: uid, conditions: [isTrue(ended, at)] });
}

describe("a run compared with another one", () => {
  it("has the last good one of its name", async () => {
    const facts = [
      setOf("a", 0, "Failed"),
      setOf("b", 1, "Completed"),
      setOf("c", 2, "Failed"),
      setOf("d", 3, "Failed"),
    ];
    expect(await compare(facts, ["jobset", "train"])).toMatchObject({
      answer:
        "train is Failed; train of 2026-01-01T01:00:00Z is Complete. " +
        "No recorded setting differs. Whether images differ is unknown.",
      chosen: "lastGood",
      before: { kind: "JobSet", uid: "b" },
      after: { kind: "JobSet", uid: "d" },
    });
  });

  it.each<readonly [string, readonly Fact[]]>([
    ["noEarlierRun", [setOf("a", 0, "Failed")]],
    ["noneCompleted", [setOf("a", 0, "Failed"), setOf("b", 1, "Failed")]],
    ["allAcrossGaps", [setOf("a", 0, "Completed"), setOf("b", 1, "Failed"), gapBetween(0, 60)]],
  ])("says why there is no good one: %s", async (reason, facts) => {
    expect(await compare(facts, ["jobset", "train"])).toMatchObject({ noLastGood: { reason }, differences: [] });
  });

  it.each([
    ["uid", "other-uid"],
    ["name", "other"],
  ])("may be given by its %s", async (_, other) => {
    const facts = [...restartedJobSet(), ...restartedJobSet({ name: "other" })];
    expect(await compare(facts, ["jobset", "train"], other)).toMatchObject({
      chosen: "given",
      before: { name: "other" },
      after: { name: "train" },
    });
  });

  it("of another namespace is unknown", async () => {
    const facts = [...restartedJobSet(), ...restartedJobSet({ name: "other", namespace: "theirs" })];
    expect(await compare(facts, ["jobset", "train"], "other-uid")).toEqual({ outcome: "unknownOther" });
    expect(await compare(facts, ["jobset", "nothing"])).toMatchObject({ outcome: "unknownRun" });
  });
});
