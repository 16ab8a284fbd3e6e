import { describe, expect, it } from "vitest";
import { WORKFLOW } from "../../../src/parents/status/workflow.ts";
import { parentObserved } from "../../support/facts/parent-facts.ts";

describe("the state of a Workflow", () => {
  it.each([
    ["Succeeded", "Complete"],
    ["Failed", "Failed"],
    ["Error", "Failed"],
  ])("in phase %s is %s", (phase, state) => {
    const fields = { phase, finishedAt: "2026-01-01T00:00:09Z" };
    expect(WORKFLOW.state(parentObserved({ fields }))).toEqual({ state, since: Date.parse("2026-01-01T00:00:09Z") });
    expect(WORKFLOW.state(parentObserved({ fields: { phase } }))).toEqual({ state });
  });

  it.each(["Pending", "Running", ""])("goes on in phase %j", (phase) => {
    expect(WORKFLOW.state(parentObserved({ fields: { phase } }))).toBeUndefined();
  });
});
