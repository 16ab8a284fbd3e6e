import { describe, expect, it } from "vitest";
import { isSelected, parseKubeFields, withoutInvolved } from "../../../src/http/kubectl/kube-fields.ts";
import type { KubeObject } from "../../../src/http/kubectl/kube-object.ts";

const POD: KubeObject = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "a", namespace: "x", creationTimestamp: null, labels: { app: "render" } },
  spec: { nodeName: "node-1" },
  status: { phase: "Failed" },
};
const EVENT: KubeObject = { ...POD, kind: "Event", source: { component: "outlive" }, reason: "PodDeleted" };

function fieldsOf(plural: "pods" | "events", text: string) {
  const parsed = parseKubeFields(plural, text);
  if (parsed.outcome === "rejected") throw new Error(`${text} is rejected`);
  return parsed.selector;
}

describe("a field selector of the Kubernetes API", () => {
  it.each([
    ["pods", "", true],
    ["pods", "spec.nodeName=node-1,status.phase!=Running", true],
    ["pods", "spec.nodeName=node-2", false],
    ["pods", "spec.restartPolicy=", true],
    ["pods", "spec.restartPolicy!=", false],
    ["events", "source=outlive", true],
    ["events", "source=kubelet", false],
    ["events", "reason=PodDeleted,type=Warning", false],
  ] as const)("of %s, %j: %s", (plural, text, matches) => {
    const object = plural === "pods" ? POD : EVENT;
    expect(isSelected(object, {}, { labels: [], others: fieldsOf(plural, text) })).toBe(matches);
  });

  it.each([
    ["pods", "status.podIP=1"],
    ["cronjobs", "spec.suspend=true"],
    ["namespaces", "metadata.namespace=x"],
    ["events", "message=a"],
  ] as const)("of %s is rejected for a field that kube-apiserver does not select by: %s", (plural, text) => {
    expect(parseKubeFields(plural, text)).toMatchObject({ outcome: "rejected" });
  });

  it("applies to Events without the fields of the involved object", () => {
    const fields = fieldsOf("events", "involvedObject.name=a,reason=b");
    expect(withoutInvolved(fields).map(({ field }) => field)).toEqual(["reason"]);
  });
});

describe("a name and labels", () => {
  it.each([
    ["a", "render", true],
    ["b", "render", false],
    ["a", "other", false],
  ])("%s and app=%s: %s", (name, app, matches) => {
    const labels = [{ key: "app", operator: "in", values: [app] }] as const;
    expect(isSelected(POD, { name }, { labels, others: [] })).toBe(matches);
  });
});
