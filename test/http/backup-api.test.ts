import { describe, expect, it } from "vitest";
import { backupApi } from "../../src/http/backup-api.ts";
import { createApi } from "../../src/http/create-api.ts";
import type { Access } from "../../src/http/access/access.ts";
import { bearerAccess, tokenGrant } from "../../src/http/access/token-access.ts";
import { readGrants } from "../../src/query/access/grant-text.ts";
import type { DatabaseCopy } from "../../src/ports/files/database-copy.ts";
import { storesOver } from "../support/stores/stores-with-facts.ts";
import { storesWith } from "../support/story/listed-job.ts";

const BYTES = Buffer.from("SQLite format 3");
const copyOf = async (): Promise<DatabaseCopy> => ({
  outcome: "copied",
  bytes: BYTES.length,
  stream: new Blob([BYTES]).stream(),
});

const onError = (error: Error) => expect.unreachable(error.message);

async function apiWith(copy: () => Promise<DatabaseCopy>, access: Access = { kind: "inProcess" }) {
  const stores = storesOver(await storesWith([]));
  return createApi({ apis: [backupApi(copy)], stores, access, now: () => 0, version: "0.0.0", onError });
}

const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

describe("a backup over HTTP", () => {
  it("is the copy, with its length", async () => {
    const response = await (await apiWith(copyOf)).request("/v1/backup");
    expect(response.headers.get("content-length")).toBe(String(BYTES.length));
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(Buffer.from(await response.arrayBuffer())).toEqual(BYTES);
  });

  it("is only for readers of everything", async () => {
    const { scope } = readGrants(["prod-eu/*"]);
    const { tokens } = bearerAccess("operator");
    const api = await apiWith(copyOf, { kind: "bearer", tokens: [...tokens, tokenGrant("reader", scope)] });
    const statuses = [
      await api.request("/v1/backup", as("operator")),
      await api.request("/v1/backup", as("reader")),
      await api.request("/v1/backup"),
    ].map(({ status }) => status);
    expect(statuses).toEqual([200, 403, 401]);
  });

  it.each(["HEAD", "POST", "DELETE"])("is not answered to %s, and not made", async (method) => {
    const api = await apiWith(() => expect.unreachable("a copy was made"));
    const response = await api.request("/v1/backup", { method });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("GET");
  });

  it("says how much room it needs where there is too little", async () => {
    const api = await apiWith(async () => ({ outcome: "noSpace", neededBytes: 3 * 1024 ** 2, freeBytes: 1024 ** 2 }));
    const response = await api.request("/v1/backup");
    expect(response.status).toBe(507);
    expect(await response.text()).toContain("needs 3 MiB beside the database, and 1 MiB are free");
  });

  it("is made one at a time", async () => {
    const { promise, resolve } = Promise.withResolvers<DatabaseCopy>();
    const api = await apiWith(() => promise);
    const first = api.request("/v1/backup");
    const second = await api.request("/v1/backup");
    expect(second.status).toBe(429);
    expect(second.headers.get("retry-after")).toBe("5");
    resolve(await copyOf());
    expect((await first).status).toBe(200);
  });

  it.each<[string, (response: Response) => Promise<unknown>]>([
    ["was read", (response) => response.arrayBuffer()],
    ["was given up", async (response) => response.body?.cancel()],
  ])("is not made again until the copy %s", async (_, finish) => {
    const api = await apiWith(copyOf);
    const first = await api.request("/v1/backup");
    expect((await api.request("/v1/backup")).status).toBe(429);
    await finish(first);
    expect((await api.request("/v1/backup")).status).toBe(200);
  });

  it("can be made again after one whose stream failed", async () => {
    const stream = new ReadableStream<Uint8Array>({
      pull: () => {
        throw new Error("The disk failed.");
      },
    });
    const broken: DatabaseCopy = { outcome: "copied", bytes: 1, stream };
    const copies = [broken, await copyOf()];
    const api = await apiWith(async () => copies.shift() ?? expect.unreachable("a third copy"));
    await expect((await api.request("/v1/backup")).arrayBuffer()).rejects.toThrow("The disk failed.");
    expect((await api.request("/v1/backup")).status).toBe(200);
  });

  it("can be made again after one for which there was no room", async () => {
    const copies: DatabaseCopy[] = [{ outcome: "noSpace", neededBytes: 2, freeBytes: 1 }, await copyOf()];
    const api = await apiWith(async () => copies.shift() ?? expect.unreachable("a third copy"));
    expect((await api.request("/v1/backup")).status).toBe(507);
    expect((await api.request("/v1/backup")).status).toBe(200);
  });
});
