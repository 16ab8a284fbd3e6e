import { describe, expect, it } from "vitest";
import type { NodeLifecycle } from "../../../src/job/model/fact.ts";
import { nodeLifecycleAt } from "../../../src/job/attribution/node-lifecycle.ts";
import { Story } from "../../support/story/story.ts";

const HOUR = 3_600;
const at = (seconds: number): number => Date.UTC(2026, 0, 1) + seconds * 1000;
const state = (type: NodeLifecycle["type"], status: NodeLifecycle["status"], seconds: number): NodeLifecycle => ({
  type,
  status,
  since: at(seconds),
});

function typeAt(seconds: number, ...observed: readonly (readonly NodeLifecycle[])[]): string | undefined {
  const story = new Story();
  for (const lifecycle of observed) story.nodeLifecycle("node-a", lifecycle);
  return nodeLifecycleAt("node-a", at(seconds), story.clusterContext)?.state.type;
}

const draining = state("DrainInProgress", "True", 100);
const stopped = state("DrainInProgress", "False", 200);

describe("the lifecycle of a node", () => {
  it.each([
    ["before a drain", 98, undefined],
    ["in the second of its beginning, by clocks of whole seconds", 99, "DrainInProgress"],
    ["during the drain", 150, "DrainInProgress"],
    ["in the second of its end", 200, undefined],
    ["after it", 201, undefined],
  ])("%s", (_, seconds, expected) => {
    expect(typeAt(seconds, [draining], [stopped])).toBe(expected);
    expect(typeAt(seconds, [stopped], [draining])).toBe(expected);
  });

  it("believes a condition that is never set to False for a day", () => {
    expect(typeAt(100 + 24 * HOUR, [draining])).toBe("DrainInProgress");
    expect(typeAt(101 + 24 * HOUR, [draining])).toBeUndefined();
  });

  it("has the most direct of several conditions", () => {
    expect(typeAt(150, [state("MaintenancePlanned", "True", 50), draining])).toBe("DrainInProgress");
    expect(typeAt(150, [draining, state("GracefulNodeShutdownInProgress", "True", 120)])).toBe(
      "GracefulNodeShutdownInProgress",
    );
    expect(typeAt(250, [state("MaintenancePlanned", "True", 50), stopped])).toBe("MaintenancePlanned");
  });

  it("of an unknown node, and of one without such conditions, is nothing", () => {
    const story = new Story();
    story.node("node-a", "True");
    expect(nodeLifecycleAt("node-a", at(0), story.clusterContext)).toBeUndefined();
    expect(nodeLifecycleAt("node-b", at(0), story.clusterContext)).toBeUndefined();
    expect(nodeLifecycleAt(undefined, at(0), story.clusterContext)).toBeUndefined();
  });
});
