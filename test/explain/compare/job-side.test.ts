import { describe, expect, it } from "vitest";
import { compareSides, type Side } from "../../../src/explain/compare/compared-field.ts";
import { labelledNode } from "../../support/facts/node-facts.ts";
import { nightlyRun, type NightlyRun, sideOf } from "../../support/story/compared-story.ts";
import { Story } from "../../support/story/story.ts";

function valueIn({ fields, unknown }: Side, place: string): unknown {
  const [kind = "", key] = place.split(" ");
  const field = fields.find((one) => one.kind === kind && one.key === key);
  if (field?.value.is === "known") return field.value.value;
  return [...unknown].find(([of]) => of === kind)?.[1];
}

function differing(before: NightlyRun, after: NightlyRun): readonly string[] {
  const compared = compareSides(sideOf(nightlyRun(0, before)), sideOf(nightlyRun(1, after)));
  return compared
    .filter(({ outcome }) => outcome === "different")
    .map(({ kind, key }) => (key ? `${kind} ${key}` : kind));
}

describe("a Job as a side of a comparison", () => {
  it.each([
    ["state", "Failed"],
    ["reason", "BackoffLimitExceeded"],
    ["cause", "oom"],
    ["category", ["oom"]],
    ["exitCode", ["137 (OOMKilled)"]],
    ["attempts", 1],
    ["restarts", 0],
    ["image", "notRecorded"],
    ["request cpu", ["500m"]],
    ["request memory", ["536870912"]],
    ["resources", "notRecorded"],
    ["spec backoffLimit", 0],
    ["spec suspend", "false"],
    ["spec template.spec.restartPolicy", "Never"],
    ["label app", "billing"],
    ["node", ["node-a"]],
    ["nodeLabel topology.kubernetes.io/zone", ["zone-1"]],
    ["waiting", 5],
    ["startUp", 0],
    ["attempt", 60],
    ["whole", 65],
  ])("has %s", (place, value) => {
    const node = labelledNode("node-a", { "topology.kubernetes.io/zone": "zone-1" });
    expect(valueIn(sideOf(nightlyRun(0, { ended: "Failed" }), [node]), place)).toEqual(value);
  });

  it.each<readonly [NightlyRun, readonly string[]]>([
    [{}, []],
    [{ requests: { cpu: "500m", memory: "268435456" } }, ["request memory"]],
    [{ requests: { cpu: "500m" } }, ["request memory"]],
    [{ spec: { parallelism: 4 } }, ["spec parallelism"]],
    [{ spec: { activeDeadlineSeconds: 60 } }, ["spec activeDeadlineSeconds"]],
    [{ spec: { podFailurePolicy: { rules: [{ action: "Ignore" }] } } }, ["spec podFailurePolicy"]],
    [{ labels: { version: "2" } }, ["label version"]],
    [{ node: "node-b" }, ["node"]],
    [{ seconds: 200 }, ["attempt", "whole"]],
    [{ ended: "Failed" }, ["state", "reason", "cause", "exitCode", "category"]],
  ])("differs with %j in %j", (after, places) => {
    expect(differing({}, after)).toEqual(expect.arrayContaining([...places]));
    expect(differing({}, after).filter((place) => !place.startsWith("finding"))).toHaveLength(places.length);
  });

  it("has the images that the log has, by container", () => {
    const images = new Map([["work", "0f9e8d7c6b5a"]]);
    const side = sideOf(nightlyRun(0), [], { images, digests: new Map([["work", new Set(["b", "a"])]]) });
    expect(["image work", "imageDigest work", "imageDigest proxy"].map((of) => valueIn(side, of))).toEqual([
      "0f9e8d7c6b5a",
      ["a", "b"],
      "notObserved",
    ]);
  });

  it("says what is not known yet of a Job in progress", () => {
    const story = new Story();
    story.jobCreated();
    story.jobReported({});
    story.podCreated("a");
    const side = sideOf(story);
    expect(["exitCode", "node", "request cpu", "waiting", "attempt", "whole"].map((of) => valueIn(side, of))).toEqual(
      Array(6).fill("inProgress"),
    );
  });

  it("without Pods says so, and knows its spec", () => {
    const story = new Story();
    story.jobCreated();
    const side = sideOf(story);
    expect(valueIn(side, "exitCode")).toBe("noPods");
    expect(valueIn(side, "spec parallelism")).toBe(1);
  });

  it("that was never observed itself knows no spec and no labels", () => {
    const story = new Story();
    story.podSucceeds("a", 5);
    const side = sideOf(story);
    expect([valueIn(side, "spec parallelism"), valueIn(side, "label app")]).toEqual(["notObserved", "notObserved"]);
  });

  it("has no labels that name it, since they differ always", () => {
    expect(valueIn(sideOf(nightlyRun(0)), "label job-name")).toBeUndefined();
  });

  it("with labels that were cut off does not know the missing ones", () => {
    const story = new Story();
    story.jobCreated({}, { labels: { app: "a" }, truncated: true });
    const side = sideOf(story);
    expect([valueIn(side, "label app"), valueIn(side, "label other")]).toEqual(["a", "truncated"]);
  });
});
