import { describe, expect, it } from "vitest";
import { translate } from "../../../src/kubernetes/translate/translate.ts";
import { added, factsOf, jobObject, podObject } from "../../support/kubernetes/watch-objects.ts";

const problemPaths = (event: unknown): readonly string[] => {
  const translated = translate(event);
  return translated.outcome === "rejected" ? translated.problems.map(({ path }) => path) : [translated.outcome];
};

describe("a watch event", () => {
  it("of a bookmark is ignored", () => {
    const event = {
      type: "BOOKMARK",
      object: { kind: "Pod", apiVersion: "v1", metadata: { resourceVersion: "12746" } },
    };
    expect(translate(event)).toEqual({
      outcome: "ignored",
      reason: "A bookmark only moves the watch cursor.",
    });
  });

  it("of type ERROR is ignored, with the reason why the watch ended", () => {
    const object = {
      kind: "Status",
      apiVersion: "v1",
      status: "Failure",
      message: "too old resource version: 1 (4931)",
      reason: "Expired",
      code: 410,
    };
    expect(translate({ type: "ERROR", object })).toEqual({
      outcome: "ignored",
      reason: "The watch ended: too old resource version: 1 (4931) (Expired, 410)",
    });
  });

  it.each(["ConfigMap", "Secret", "ReplicaSet", "constructor", "__proto__"])("of a %s is ignored", (kind) => {
    expect(translate(added({ kind, apiVersion: "v1", metadata: { uid: "u" } })).outcome).toBe("ignored");
  });

  it("may be a bare object, which is read as ADDED", () => {
    expect(factsOf(podObject())).toEqual(factsOf(added(podObject())));
  });

  it("may leave the kind out where the caller knows it", () => {
    const { kind: _, apiVersion: __, ...job } = jobObject();
    expect(translate(added(job), { kind: "Job" })).toEqual(translate(added(jobObject())));
    expect(problemPaths(added(job))).toEqual(["object.kind"]);
  });

  it("may have unknown fields", () => {
    const pod = podObject({
      metadata: { selfLink: "/x", future: [1] },
      spec: { future: { deep: true } },
      status: { future: 1 },
      future: {},
    });
    expect(factsOf({ type: "ADDED", object: pod, future: 1 })).toEqual(factsOf(added(podObject())));
  });
});

describe("a watch event that cannot be read", () => {
  it.each([
    ["no object at all", null, [""]],
    ["a text", "ADDED", [""]],
    ["a list", [1, 2], [""]],
    ["an empty object", {}, ["kind"]],
    ["a type and no object", { type: "ADDED" }, ["object"]],
    ["an object that is none", { type: "ADDED", object: "Pod" }, ["object"]],
    ["an unknown type", { type: "RENAMED", object: podObject() }, ["type"]],
    ["no type", { object: podObject() }, ["type"]],
  ])("is rejected: %s", (_, event, paths) => {
    expect(problemPaths(event)).toEqual(paths);
  });
});

const rejected = (metadata: object) => [
  problemPaths(added(jobObject({ metadata: { ...metadata } }))),
  problemPaths(added(podObject({ metadata: { ...metadata } }))),
];

describe("the metadata of a Job or a Pod", () => {
  it.each([
    ["uid", undefined],
    ["uid", ""],
    ["uid", 7],
    ["uid", "with space"],
    ["uid", "u".repeat(129)],
    ["name", undefined],
    ["name", ""],
    ["name", "n".repeat(254)],
    ["name", "a/b"],
    ["name", "a#b"],
    ["name", "line\nbreak"],
    ["namespace", "n".repeat(64)],
    ["namespace", "a b"],
    ["resourceVersion", undefined],
    ["resourceVersion", ""],
    ["resourceVersion", "0"],
    ["resourceVersion", "0712"],
    ["resourceVersion", "-1"],
    ["resourceVersion", "1e3"],
    ["resourceVersion", "abc"],
    ["resourceVersion", "9007199254740992"],
    ["resourceVersion", "123456789012345678901234"],
    ["resourceVersion", 712],
  ])("is rejected with the %s %j", (field, value) => {
    expect(rejected({ [field]: value })).toEqual([[`object.metadata.${field}`], [`object.metadata.${field}`]]);
  });

  it("is rejected with all its problems at once", () => {
    expect(problemPaths(added({ kind: "Job" }))).toEqual([
      "object.metadata.uid",
      "object.metadata.name",
      "object.metadata.resourceVersion",
    ]);
  });

  it("is read at the limits of Kubernetes", () => {
    const metadata = {
      name: "n".repeat(253),
      namespace: "s".repeat(63),
      uid: "u".repeat(128),
      resourceVersion: "9007199254740991",
    };
    expect(factsOf(added(jobObject({ metadata })))[0]).toMatchObject({
      name: metadata.name,
      namespace: metadata.namespace,
      jobUid: metadata.uid,
      resourceVersion: Number.MAX_SAFE_INTEGER,
    });
  });

  it("makes facts as late as the last write of any field manager", () => {
    const managedFields = [{ manager: "kubectl", time: "2026-11-21T08:40:00Z" }, { manager: "x", time: "never" }, null];
    expect(factsOf(added(jobObject({ metadata: { managedFields } })))[0]?.at).toBe(Date.parse("2026-11-21T08:40:00Z"));
  });
});
