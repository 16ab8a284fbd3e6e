import { describe, expect, it } from "vitest";
import { readerScope } from "../../../src/query/access/readers.ts";
import { grantReader, listReaders } from "../../../src/query/access/readers.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";

const principalId = "AROAEXAMPLE";
const now = Date.parse("2026-01-01T00:00:00Z");

describe("the readers of a stage", () => {
  it("are listed with their grants", async () => {
    const meta = new MemoryMetaStore();
    const reader = { principalId, grants: ["east/batch"], arn: "arn:aws:iam::111122223333:role/viewer" };
    expect(await grantReader(meta, reader, now)).toBe("written");
    expect(await listReaders(meta)).toEqual([{ ...reader, grantedAt: now }]);
    expect(await readerScope(meta, `${principalId}:session`)).toEqual({
      grants: [{ cluster: "east", namespaces: ["batch"] }],
    });
  });

  it("lose their earlier grants when they get new ones", async () => {
    const meta = new MemoryMetaStore();
    await grantReader(meta, { principalId, grants: ["east/batch"] }, now);
    await grantReader(meta, { principalId, grants: ["west/*"] }, now + 1);
    expect(await listReaders(meta)).toEqual([{ principalId, grants: ["west/*"], grantedAt: now + 1 }]);
  });

  it("lose all access with an empty list of grants", async () => {
    const meta = new MemoryMetaStore();
    await grantReader(meta, { principalId, grants: ["*"] }, now);
    await grantReader(meta, { principalId, grants: [] }, now + 1);
    expect(await listReaders(meta)).toEqual([]);
    expect(await readerScope(meta, principalId)).toBeUndefined();
  });
});
