import { describe, expect, it } from "vitest";
import type { RunGroup } from "../../../../src/projection/group-facts.ts";
import { decodePartialRun, PartialRuns } from "../../../../src/upkeep/replay/spread/partial-runs.ts";
import { clusterNamed, jobUid } from "../../../support/facts/names.ts";
import { runFacts, runUidNamed } from "../../../support/facts/run-facts.ts";

const facts = runFacts({ name: "train", createdAt: 0, jobs: ["train-0"] });
const key = { cluster: clusterNamed("east"), jobUid: jobUid(runUidNamed("train")) };
const groupOf = (some: typeof facts, ...jobs: readonly string[]): RunGroup => ({
  kind: "run",
  key,
  facts: [...some],
  jobs: new Set(jobs.map(jobUid)),
  segments: new Set(),
});

describe("runs that are spread", () => {
  it("have each fact and each Job once, however often they were logged", () => {
    const runs = new PartialRuns();
    runs.add([groupOf(facts, "a", "b")]);
    const { bytes } = runs;
    runs.add([groupOf(facts.slice(1), "b", "c")]);
    expect(runs.bytes).toBe(bytes);
    const [[run, partial] = expect.fail(), ...others] = runs.entries();
    expect([run, others]).toEqual([key, []]);
    expect(decodePartialRun(partial)).toEqual({ facts, jobs: new Set(["a", "b", "c"].map(jobUid)) });
  });

  it("are none if the segments have none", () => {
    expect(new PartialRuns().entries()).toEqual([]);
  });
});
