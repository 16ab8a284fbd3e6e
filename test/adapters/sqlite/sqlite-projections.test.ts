import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSqliteProjections } from "../../../src/adapters/sqlite/sqlite-projections.ts";
import { clusterNamed, jobUid } from "../../support/facts/names.ts";
import { ScratchDatabases } from "./scratch-databases.ts";

let scratch: ScratchDatabases;
beforeEach(() => {
  scratch = new ScratchDatabases();
});
afterEach(() => scratch.clear());

describe("the two projections", () => {
  it("are independent, and cleared separately", async () => {
    const projections = createSqliteProjections(scratch.open(scratch.newPath()));
    const key = { cluster: clusterNamed("east"), jobUid: jobUid("1") };
    await projections.open("A").write(key, { bytes: Uint8Array.of(1) }, 0);
    await projections.open("B").write(key, { bytes: Uint8Array.of(2) }, 0);
    await projections.open("B").writePage(key, "00", Uint8Array.of(3));
    await projections.clear("A");
    expect(await projections.open("A").read(key)).toBeUndefined();
    expect((await projections.open("B").read(key))?.version).toBe(1);
    await projections.clear("B");
    expect(await projections.open("B").readPage(key, "00")).toBeUndefined();
  });
});
