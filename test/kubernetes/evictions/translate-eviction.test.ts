import { describe, expect, it } from "vitest";
import { translate } from "../../../src/kubernetes/translate/translate.ts";
import { added, deleted, evictionRequest, POD_UID, toldOf } from "../../support/kubernetes/watch-objects.ts";

const at = (text: string): number => Date.parse(`2026-11-21T${text}Z`);
const TARGET = { kind: "Pod", namespace: "night", name: "report-2vxzf", uid: POD_UID };

describe("an EvictionRequest", () => {
  it("names its Pod, who requests it, and what became of it", () => {
    const evicted = { type: "TargetEvicted", status: "True", reason: "PodDeleted", message: "gone" };
    const conditions = [
      { ...evicted, lastTransitionTime: "2026-11-21T08:31:00Z" },
      { type: "Else", status: "True" },
    ];
    expect(toldOf("EvictionObserved", added(evictionRequest({ status: { conditions } })))).toEqual([
      {
        hintId: "e1f00000-0000-4000-8000-000000000001",
        of: "EvictionRequest",
        name: "move-report",
        target: TARGET,
        createdAt: at("08:30:00"),
        requesters: [{ name: "acme.io/rebalancer", intent: "Eviction" }],
        conditions: [{ type: "TargetEvicted", status: "True", reason: "PodDeleted", lastTransitionAt: at("08:31:00") }],
      },
    ]);
  });

  it("is deleted with its last intent", () => {
    const told = toldOf("EvictionObserved", deleted(evictionRequest({ spec: { intent: "Withdrawn" } })));
    expect(told).toMatchObject([{ deleted: true, requesters: [{ intent: "Withdrawn" }] }]);
  });

  it.each([
    ["of another API version", evictionRequest({ apiVersion: "lifecycle.k8s.io/v9" }), "ignored"],
    ["of another target", evictionRequest({ spec: { target: { podGroup: { name: "g" } } } }), "ignored"],
    ["without a valid name of a Pod", evictionRequest({ spec: { target: { pod: { name: "a/b" } } } }), "rejected"],
    ["without a uid", evictionRequest({ metadata: { uid: "" } }), "rejected"],
    ["from the future", evictionRequest({ metadata: { creationTimestamp: "2099-01-01T00:00:00Z" } }), "rejected"],
  ])("%s has no fact", (_, object, outcome) => {
    expect(translate(added(object), { arrivedAt: at("08:30:00") })).toMatchObject({ outcome });
  });
});

describe("an Eviction", () => {
  it("names all that have requested it, also those that have withdrawn", () => {
    const requesters = [
      { name: "acme.io/a", intent: "Withdrawn" },
      { name: "acme.io/b", intent: "Eviction" },
    ];
    const { spec, ...eviction } = evictionRequest({ kind: "Eviction", status: { requesters } });
    const { target } = spec as { readonly target: unknown };
    const told = toldOf("EvictionObserved", added({ ...eviction, spec: { target } }));
    expect(told).toMatchObject([{ of: "Eviction", target: TARGET, requesters, conditions: [] }]);
  });

  it("of policy/v1 is the body of a request, and no object", () => {
    const body = evictionRequest({ kind: "Eviction", apiVersion: "policy/v1" });
    expect(translate(added(body))).toMatchObject({ outcome: "ignored" });
  });
});
