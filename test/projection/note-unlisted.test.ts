import { describe, expect, it } from "vitest";
import { decodeJobUid } from "../../src/job/model/ids.ts";
import { noteIfUnlisted } from "../../src/projection/note-unlisted.ts";
import { clusterOf } from "../support/story/listed-job.ts";
import { CountedMetaStore } from "../support/stores/memory-meta-store.ts";

const key = { cluster: clusterOf("east"), jobUid: decodeJobUid("train-uid") ?? expect.fail() };
const row = { namespace: "ml" };

describe("the namespace of a row", () => {
  it("is noted once", async () => {
    const meta = new CountedMetaStore();
    const notedNamespaces = new Set<string>();
    await noteIfUnlisted({ meta, notedNamespaces }, key, { row, known: undefined });
    expect(meta.contents()).toHaveLength(1);
    expect(meta.takeReads()).toEqual(["namespace"]);
    await noteIfUnlisted({ meta, notedNamespaces }, key, { row, known: undefined });
    expect(meta.takeReads()).toEqual([]);
  });

  it.each([
    ["the row was listed there", { row, known: row }, {}],
    ["there is no row", { row: undefined, known: undefined }, {}],
    ["only Jobs are written", { row, known: undefined }, { jobsOnly: true }],
  ])("is left alone where %s", async (_, listed, ports) => {
    const meta = new CountedMetaStore();
    await noteIfUnlisted({ meta, ...ports }, key, listed);
    expect([meta.contents(), meta.takeReads()]).toEqual([[], []]);
  });

  it("is noted again where the row moved to another one", async () => {
    const meta = new CountedMetaStore();
    await noteIfUnlisted({ meta }, key, { row, known: { namespace: "data" } });
    expect(meta.contents()).toHaveLength(1);
  });
});
