import { describe, expect, it } from "vitest";
import { define } from "../../../cli/commands/nodes.ts";
import { Story } from "../../support/story/story.ts";
import { commandOverRuns } from "./runs-of-database.ts";

/** Jobs whose only Pod fails on this node, or succeeds. */
function jobsOn(node: string, most: number, phase: "Failed" | "Succeeded") {
  return Array.from({ length: most }, (_, n) => {
    const story = new Story(`${node}-${n}`);
    story.jobCreated();
    story.podCreated("a");
    story.podStarted("a", node);
    story.containerEnded("a", phase === "Failed" ? 1 : 0, 5);
    story.podTerminated("a", phase);
    return story.facts;
  }).flat();
}

const bad = ["node-a", "node-b", "node-c"].flatMap((node) => jobsOn(node, 8, "Failed"));
const nodes = commandOverRuns(define, [...bad, ...jobsOn("node-d", 100, "Succeeded")]);
const ALL = ["--since", "2000-01-01T00:00:00Z", "-n", "default"];

describe("outlive nodes", () => {
  it("prints all nodes on which Pods failed with --limit 0", async () => {
    const { stdout, stderr, error } = await nodes(...ALL, "--limit", "0", "-o", "name");
    expect({ stdout, stderr, error }).toEqual({ stdout: "node-a\nnode-b\nnode-c\n", stderr: "", error: undefined });
  });

  it("says how many are worse than the others, as far as it prints them", async () => {
    expect((await nodes(...ALL, "--limit", "10")).stderr).toMatch(
      /^24 of 124 Pods failed on 4 nodes, .*At least 3 are worse than the others/,
    );
    expect((await nodes(...ALL, "--limit", "1")).stderr).toMatch(/At least 1 is worse than the others/);
  });
});
