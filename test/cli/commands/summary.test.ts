import { describe, expect, it } from "vitest";
import { define } from "../../../cli/commands/summary.ts";
import { Story } from "../../support/story/story.ts";
import { commandOverRuns } from "./runs-of-database.ts";

function jobWithPod(name: string, phase: "Failed" | "Succeeded") {
  const story = new Story(name);
  story.jobCreated();
  story.podCreated("a");
  story.podTerminated("a", phase);
  return story.facts;
}

const REMARK = '"outlive nodes" lists the nodes on which most Pods failed.\n';

describe("outlive summary", () => {
  const summary = commandOverRuns(define, [...jobWithPod("a", "Failed"), ...jobWithPod("b", "Succeeded")]);

  it("names the command for nodes if Pods failed, to people only", async () => {
    const { stdout, stderr, error } = await summary("-n", "default");
    expect([stderr, error]).toEqual([REMARK, undefined]);
    expect(stdout).toMatch(/^ {2}failed +1$/m);
    expect((await summary("-n", "default", "-o", "json")).stderr).toBe("");
  });
});

describe("outlive summary without failed Pods", () => {
  const summary = commandOverRuns(define, jobWithPod("b", "Succeeded"));

  it("does not name it", async () => {
    expect((await summary("-n", "default")).stderr).toBe("");
  });
});
