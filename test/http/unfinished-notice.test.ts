import { describe, expect, it } from "vitest";
import { inProcessClient } from "../../src/host/embedded/in-process-client.ts";
import { UnfinishedNotice } from "../../src/http/unfinished-notice.ts";
import { noteBegun, noteFinished } from "../../src/upkeep/replay/unfinished-commands.ts";
import { emptyStores } from "../support/stores/stores-with-facts.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";

const command = { command: "archive import", of: "archive-1" } as const;
const WARNING =
  '299 outlive "An import of an archive is running, or was interrupted: answers may lack data. If it does not run, ' +
  'repeat its `outlive archive import`: it continues."';

describe("an answer while an import is not finished", () => {
  it("says so in its header", async () => {
    const stores = emptyStores();
    await noteBegun(stores.meta, command);
    const client = inProcessClient(stores, "tracker");
    expect((await client.request("/v1/jobs")).headers.get("warning")).toBe(WARNING);
    expect((await client.request("/v1/clusters")).headers.get("warning")).toBe(WARNING);
  });

  it("says nothing to a request that was refused, or about the process alone", async () => {
    const stores = emptyStores();
    await noteBegun(stores.meta, command);
    const client = inProcessClient(stores, "tracker");
    expect((await client.request("/v1/jobs?limit=none")).headers.get("warning")).toBeNull();
    expect((await client.request("/v1/healthz")).headers.get("warning")).toBeNull();
  });
});

describe("the notice", () => {
  it("reads the commands again after two seconds", async () => {
    const meta = new MemoryMetaStore();
    let now = 0;
    const notice = new UnfinishedNotice(meta, () => now);
    await noteBegun(meta, command);
    expect(await notice.warning()).toBe(WARNING);
    await noteFinished(meta, command);
    now = 1_999;
    expect(await notice.warning()).toBe(WARNING);
    now = 2_000;
    expect(await notice.warning()).toBeUndefined();
  });
});
