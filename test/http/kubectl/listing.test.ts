import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../src/http/kubectl/kube-object.ts";
import { age, column, listingOf, wide } from "../../../src/http/kubectl/listing.ts";

const show = (name: string): KubeObject => ({
  apiVersion: "v1",
  kind: "Thing",
  metadata: { name, creationTimestamp: null },
  spec: { length: name.length },
});
const columns = [column<string>("Name", (name) => name), wide<string>("Length", (name) => name.length)];
const LISTING = listingOf(["a", "bb"], { columns, show }, "next");
const OPTIONS = { metadata: { resourceVersion: "7" }, now: 0, include: "Metadata" } as const;

describe("a listing", () => {
  it("is its objects, and where the list continues", () => {
    expect(LISTING.objects).toEqual([show("a"), show("bb")]);
    expect(LISTING.continueToken).toBe("next");
  });

  it("of one of its objects, or of none, has the same columns and no token", () => {
    const one = LISTING.only(1);
    expect(one.objects).toEqual([show("bb")]);
    expect(one.table(OPTIONS).columnDefinitions).toEqual(LISTING.table(OPTIONS).columnDefinitions);
    expect([LISTING.none().objects, one.continueToken]).toEqual([[], undefined]);
  });

  it("as a table has a row of cells for each object", () => {
    expect(LISTING.table(OPTIONS)).toMatchObject({
      kind: "Table",
      metadata: { resourceVersion: "7" },
      columnDefinitions: [
        { name: "Name", format: "name", priority: 0 },
        { name: "Length", format: "", priority: 1 },
      ],
      rows: [{ cells: ["a", 1] }, { cells: ["bb", 2] }],
    });
  });

  it.each([
    ["None", undefined],
    ["Metadata", { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: show("a").metadata }],
    ["Object", show("a")],
  ] as const)("as a table includes of each object: %s", (include, object) => {
    const [row] = LISTING.table({ ...OPTIONS, include }).rows;
    expect(row).toEqual({ cells: ["a", 1], ...(object && { object }) });
  });

  it("as a later table of a watch does not define its columns again", () => {
    expect(LISTING.table({ ...OPTIONS, headers: false }).columnDefinitions).toBeNull();
  });
});

describe("an age", () => {
  it.each([
    [undefined, "<none>"],
    ["2026-01-01T00:00:00Z", "30s"],
    ["not an instant", "<none>"],
  ])("of %s is %s", (instant, text) => {
    expect(age(instant, Date.parse("2026-01-01T00:00:30Z"))).toBe(text);
  });
});
