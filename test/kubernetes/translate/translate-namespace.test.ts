import { describe, expect, it } from "vitest";
import { translate } from "../../../src/kubernetes/translate/translate.ts";
import { added, deleted, toldOf } from "../../support/kubernetes/watch-objects.ts";

const namespace = (metadata: object = {}, more: object = {}) => ({
  kind: "Namespace",
  apiVersion: "v1",
  metadata: { name: "payments", uid: "ns-1", resourceVersion: "41", ...metadata },
  ...more,
});

describe("a namespace", () => {
  it("is observed with its labels and annotations for Outlive, and no others", () => {
    const labels = { team: "secret", "outlive.dev/tier": "1" };
    const annotations = { note: "secret", "outlive.dev/notify": "team-a" };
    const told = toldOf("NamespaceObserved", added(namespace({ labels, annotations })));
    const marks = { "outlive.dev/tier": "1", "outlive.dev/notify": "team-a" };
    expect(told).toEqual([{ namespace: "payments", namespaceUid: "ns-1", marks }]);
  });

  it("is observed with the first eight of them by key", () => {
    const annotations = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`outlive.dev/${9 - index}`, "x"]));
    const [told] = toldOf("NamespaceObserved", added(namespace({ annotations })));
    expect(Object.keys(told?.marks ?? {})).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((key) => `outlive.dev/${key}`));
  });

  it("is observed without any", () => {
    const told = toldOf("NamespaceObserved", added(namespace({ labels: { team: "secret" } })));
    expect(told).toEqual([{ namespace: "payments", namespaceUid: "ns-1" }]);
  });

  it("is deleted by a DELETED event", () => {
    expect(toldOf("NamespaceDeleted", deleted(namespace()))).toEqual([{ namespace: "payments", namespaceUid: "ns-1" }]);
  });

  it.each([
    ["without a uid", namespace({ uid: undefined }), "rejected"],
    ["of another API", namespace({}, { apiVersion: "example.com/v1" }), "ignored"],
  ])("is not read %s", (_, object, outcome) => {
    expect(translate(added(object)).outcome).toBe(outcome);
  });
});
