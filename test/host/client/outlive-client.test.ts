import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOutliveClient, itemsOf, type Job, OutliveError } from "outlive/client";
import manifest from "../../../package.json" with { type: "json" };
import { openApiDocument } from "../../../src/http/contract/openapi-document.ts";
import { ROUTES } from "../../../src/http/routes/routes.ts";
import { collect } from "../../support/running/collect.ts";
import { example, runOutlive, scratchFolder, serveOutlive, type Serving } from "../../support/running/run-outlive.ts";
import { API_PARTS } from "../../../src/host/optional/api-parts.ts";

const scratch = scratchFolder();
const TOKEN = "a-token-of-this-test";
let served: Serving;

beforeAll(async () => {
  await runOutlive(["import", "--cluster", "ttl", example("ttl.ndjson.gz")], { cwd: scratch.path });
  served = await serveOutlive(["serve", "--listen", "127.0.0.1:0"], {
    cwd: scratch.path,
    env: { OUTLIVE_TOKEN: TOKEN },
  });
}, 60_000);
afterAll(async () => {
  await served.stop("SIGTERM");
  await scratch.remove();
});

describe("the client of npm package outlive/client, with outlive serve", () => {
  it("lists Jobs with types", async () => {
    const client = createOutliveClient({ server: served.url, token: TOKEN });
    const { data, error } = await client.GET("/v1/jobs", {
      params: { query: { namespace: "ttl", state: ["Failed", "Suspended"] } },
    });
    expect(error).toBeUndefined();
    const [job]: readonly Job[] = data?.items ?? [];
    expect(job).toMatchObject({ cluster: "ttl", name: "nightly", verdict: { state: "Failed" } });
  });

  it("reads all pages of a list", async () => {
    const client = createOutliveClient({ server: served.url, token: TOKEN });
    const params = { cluster: "ttl", limit: 2 };
    const jobs = itemsOf((cursor) =>
      client.GET("/v1/jobs", { params: { query: { ...params, ...(cursor !== undefined && { cursor }) } } }),
    );
    const names = (await collect(jobs)).map(({ name, verdict: { state } }) => `${name} ${state}`);
    expect(names).toEqual(["nightly Complete", "nightly Failed", "nightly Complete"]);
  });

  it("fills in the path, and explains a Job", async () => {
    const client = createOutliveClient({ server: served.url, token: TOKEN });
    const path = { cluster: "ttl", namespace: "ttl", name: "nightly" };
    const { data } = await client.GET("/v1/clusters/{cluster}/namespaces/{namespace}/jobs/{name}/why", {
      params: { path },
    });
    expect(data?.answer).toMatch(/^Complete: 3 of 3 succeeded/);
  });

  it("reports the problem of a refused request, and throws it from a list", async () => {
    const stranger = createOutliveClient({ server: served.url });
    const { error, response } = await stranger.GET("/v1/jobs");
    expect([response.status, error?.status]).toEqual([401, 401]);
    await expect(collect(itemsOf(() => stranger.GET("/v1/jobs")))).rejects.toThrow(OutliveError);
  });

  it("does not read the same page for ever", async () => {
    const response = new Response();
    let pages = 0;
    const again = itemsOf(async () => {
      pages += 1;
      return { data: { items: [pages], nextCursor: "same" }, response };
    });
    await expect(collect(again)).rejects.toThrow("same page again");
    expect(pages).toBe(2);
  });

  it("repeats a request that a gateway throttled", async () => {
    const pauses: number[] = [];
    const client = createOutliveClient({
      server: served.url,
      token: TOKEN,
      pause: async (milliseconds) => void pauses.push(milliseconds),
      random: () => 0,
      fetch: async (...request) => (pauses.length < 2 ? new Response(null, { status: 429 }) : fetch(...request)),
    });
    expect((await client.GET("/v1/clusters")).data?.items).toMatchObject([{ name: "ttl" }]);
    expect(pauses).toEqual([125, 250]);
  });
});

describe("the committed OpenAPI document", () => {
  const committed = readFileSync(new URL("../../../client/openapi.json", import.meta.url), "utf8");
  const current = JSON.stringify(openApiDocument([...ROUTES, ...API_PARTS.routes], manifest.version));

  it('is that of the API; "npm run build:client" writes it', () => {
    expect(JSON.parse(committed)).toEqual(JSON.parse(current));
  });

  it("is the one from which the types of the client were generated", () => {
    const types = readFileSync(new URL("../../../client/openapi.d.ts", import.meta.url), "utf8");
    expect(types).toContain(createHash("sha256").update(current).digest("hex"));
  });
});
