import { describe, expect, it } from "vitest";
import {
  mayRead,
  mayReadAll,
  mayReadCluster,
  type Scope,
  seesNothing,
  wholeClusters,
} from "../../../src/query/access/scope.ts";

const scope: Scope = {
  grants: [
    { cluster: "east", namespaces: ["batch", "reports"] },
    { cluster: "west", namespaces: "all" },
  ],
};

describe("the scope of a reader", () => {
  it.each([
    ["east", "batch", true, false],
    ["east", "kube-system", false, false],
    ["east", "", false, false],
    ["west", "batch", true, true],
    ["north", "batch", false, false],
    ["EAST", "batch", false, false],
  ])("answers for %s/%s", (cluster, namespace, one, all) => {
    expect(mayRead(scope, cluster, namespace)).toBe(one);
    expect(mayReadAll(scope, cluster)).toBe(all);
    expect(mayReadCluster(scope, cluster)).toBe(cluster === "east" || cluster === "west");
  });

  it("includes every namespace of every cluster if it is everything", () => {
    const answers = [
      mayRead("everything", "east", "x"),
      mayReadAll("everything", "x"),
      mayReadCluster("everything", "x"),
    ];
    expect(answers).toEqual([true, true, true]);
    expect(seesNothing("everything")).toBe(false);
  });

  it("is empty without grants", () => {
    const none: Scope = { grants: [] };
    expect([mayRead(none, "east", "batch"), mayReadAll(none, "east"), mayReadCluster(none, "east")]).toEqual([
      false,
      false,
      false,
    ]);
    expect([seesNothing(none), seesNothing(scope)]).toEqual([true, false]);
  });

  it("has clusters that it includes as a whole", () => {
    expect(wholeClusters(scope)).toEqual({ grants: [{ cluster: "west", namespaces: "all" }] });
    expect(wholeClusters("everything")).toBe("everything");
  });
});
