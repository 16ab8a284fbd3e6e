import { describe, expect, it } from "vitest";
import { TouchedRuns } from "../../../src/archive/write/runs-touched-in-hour.ts";
import { clusterNamed, jobUid } from "../../support/facts/names.ts";
import { memberFacts, runFacts, runUidNamed } from "../../support/facts/run-facts.ts";

const [east, west] = [clusterNamed("east"), clusterNamed("west")];
const story = { name: "train", createdAt: 1_000, jobs: ["a"] };

describe("the runs of an hour", () => {
  it("have the facts about them and their Jobs, cluster by cluster", () => {
    const touched = new TouchedRuns();
    touched.addFacts(east, [...memberFacts(story), ...runFacts(story)]);
    touched.addJob(east, { runUid: runUidNamed("train"), jobUid: jobUid("a") });
    touched.addJob(west, { runUid: runUidNamed("train"), jobUid: jobUid("b") });
    expect(touched.all.map(({ key, facts, jobs }) => [key.cluster, facts.length, [...jobs]])).toEqual([
      ["east", 3, [jobUid("a")]],
      ["west", 0, [jobUid("b")]],
    ]);
  });

  it("leave out what has no valid uid", () => {
    const touched = new TouchedRuns();
    touched.addJob(east, { runUid: "", jobUid: jobUid("a") });
    expect(touched.all).toEqual([]);
  });
});
