import { describe, expect, it } from "vitest";
import { RunChanges } from "../../../src/projection/run-state/run-changes.ts";
import { clusterNamed, jobUid } from "../../support/facts/names.ts";
import { memberFacts, runFacts, runUidNamed } from "../../support/facts/run-facts.ts";

const [east, west] = [clusterNamed("east"), clusterNamed("west")];
const story = { name: "train", createdAt: 1_000, jobs: ["a"] };

describe("what segments say about runs", () => {
  it("have the facts about them and their Jobs, cluster by cluster", () => {
    const changes = new RunChanges();
    changes.addFacts(east, [...memberFacts(story), ...runFacts(story)]);
    changes.addJob({ cluster: east, jobUid: jobUid("a") }, runUidNamed("train"));
    changes.addJob({ cluster: west, jobUid: jobUid("b") }, runUidNamed("train"));
    expect(changes.all.map(({ key, facts, jobs }) => [key.cluster, facts.length, [...jobs]])).toEqual([
      ["east", 3, [jobUid("a")]],
      ["west", 0, [jobUid("b")]],
    ]);
  });

  it("leave out what has no valid uid", () => {
    const changes = new RunChanges();
    changes.addJob({ cluster: east, jobUid: jobUid("a") }, "");
    expect(changes.all).toEqual([]);
  });
});
