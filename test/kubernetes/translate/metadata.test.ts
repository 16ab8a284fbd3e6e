import { describe, expect, it } from "vitest";
import { isProblems, latestOfMetadata, readMetadata } from "../../../src/kubernetes/translate/metadata.ts";

const VALID = { uid: "u-1", name: "nightly", namespace: "shop", resourceVersion: "12" };

function read(change: object, scope: "namespaced" | "cluster" = "namespaced") {
  const metadata = readMetadata({ metadata: { ...VALID, ...change } }, scope);
  return isProblems(metadata) ? expect.fail(JSON.stringify(metadata)) : metadata;
}

describe("the metadata of an object", () => {
  it("has the namespace `default` where it names none", () => {
    expect(read({ namespace: undefined }).namespace).toBe("default");
  });

  it("has no namespace where the object is cluster-scoped", () => {
    expect(read({}, "cluster").namespace).toBe("");
  });

  it("dates the deletion request before the grace period", () => {
    const { deletion } = read({ deletionTimestamp: "2026-11-22T12:00:30Z", deletionGracePeriodSeconds: 30 });
    expect(deletion).toEqual({ requestedAt: Date.UTC(2026, 10, 22, 12), graceSeconds: 30 });
  });

  it("has the latest instant of creation, deletion request and field managers", () => {
    const managedFields = [{ time: "2026-11-22T12:00:02Z" }, { time: "2026-11-22T12:00:01Z" }];
    const metadata = read({ creationTimestamp: "2026-11-22T12:00:00Z", managedFields });
    expect(latestOfMetadata(metadata)).toBe(Date.UTC(2026, 10, 22, 12, 0, 2));
  });

  it.each([
    ["uid", undefined],
    ["uid", "with space"],
    ["uid", "x".repeat(129)],
    ["name", undefined],
    ["name", "a/b"],
    ["name", "a#b"],
    ["name", "x".repeat(254)],
    ["namespace", "x".repeat(64)],
    ["resourceVersion", undefined],
    ["resourceVersion", "0"],
    ["resourceVersion", "12a"],
  ])("is rejected with the %s %j", (field, value) => {
    const problems = readMetadata({ metadata: { ...VALID, [field]: value } }, "namespaced");
    expect(problems).toMatchObject([{ path: `object.metadata.${field}` }]);
  });

  it("reports all problems at once", () => {
    expect(readMetadata({}, "namespaced")).toHaveLength(3);
  });
});
