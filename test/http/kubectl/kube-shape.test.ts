import { describe, expect, it } from "vitest";
import {
  itemsOf,
  readShape,
  showBookmark,
  showEvent,
  showList,
  showOne,
} from "../../../src/http/kubectl/kube-shape.ts";
import { column, listingOf } from "../../../src/http/kubectl/listing.ts";
import { kubePath } from "../../support/http/kube-question.ts";

const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
const { resource } = kubePath("/apis/batch/v1/jobs");
const show = (name: string) => ({ apiVersion: "batch/v1", kind: "Job", metadata: { name, creationTimestamp: null } });
const LISTING = listingOf(["a"], { columns: [column<string>("Name", (name) => name)], show }, "next");
const OBJECTS = { shape: { as: "objects", include: "Metadata" }, now: 7 } as const;
const ROWS = { shape: { as: "table", include: "None" }, now: 7 } as const;

describe("the shape of an answer", () => {
  it.each([
    ["application/json", "", { as: "objects", include: "Metadata" }],
    [TABLE, "", { as: "table", include: "Metadata" }],
    [TABLE, "includeObject=None", { as: "table", include: "None" }],
    [TABLE, "includeObject=Object", { as: "table", include: "Object" }],
    [TABLE, "includeObject=Everything", { as: "table", include: "Metadata" }],
  ])("for %s and %j is %j", (accept, query, shape) => {
    expect(readShape(accept, new URLSearchParams(query))).toEqual(shape);
  });

  it("of one object is the object, or a table of one row", () => {
    expect(showOne(LISTING, OBJECTS)).toEqual(show("a"));
    expect(showOne(LISTING, ROWS)).toMatchObject({ kind: "Table", rows: [{ cells: ["a"] }] });
  });

  it("of a list has the version and the token in its metadata, and its items last", () => {
    const metadata = { resourceVersion: "7", continue: "next" };
    const list = showList(LISTING, resource, OBJECTS) as object;
    const table = showList(LISTING, resource, ROWS) as object;
    expect(list).toEqual({ kind: "JobList", apiVersion: "batch/v1", metadata, items: itemsOf(LISTING, OBJECTS) });
    expect(table).toMatchObject({ kind: "Table", metadata, rows: itemsOf(LISTING, ROWS) });
    expect([list, table].map((shown) => Object.keys(shown).at(-1))).toEqual(["items", "rows"]);
  });

  it.each([
    [OBJECTS, show("a")],
    [
      ROWS,
      {
        kind: "Table",
        apiVersion: "meta.k8s.io/v1",
        columnDefinitions: null,
        metadata: { resourceVersion: "7" },
        rows: [{ cells: ["a"] }],
      },
    ],
  ])("of a watch event is one line", (view, object) => {
    const line = showEvent({ type: "ADDED", listing: LISTING }, { ...view, headers: false });
    expect(line.indexOf("\n")).toBe(line.length - 1);
    expect(JSON.parse(line)).toEqual({ type: "ADDED", object });
  });

  it.each([
    [OBJECTS, true, { kind: "Job", metadata: { annotations: { "k8s.io/initial-events-end": "true" } } }],
    [OBJECTS, false, { kind: "Job", metadata: { resourceVersion: "7" } }],
    [ROWS, false, { kind: "Table", rows: [], metadata: { resourceVersion: "7" } }],
  ])("of a bookmark states the version, and whether the initial events end", (view, ends, object) => {
    const line = showBookmark(resource, view, ends);
    expect(JSON.parse(line)).toMatchObject({ type: "BOOKMARK", object });
    expect(line.includes("initial-events-end")).toBe(ends);
  });
});
