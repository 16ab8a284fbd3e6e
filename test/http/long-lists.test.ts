import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createApi } from "../../src/http/create-api.ts";
import type { ReaderLimitOptions } from "../../src/http/access/reader-limits.ts";
import { OpenStreams } from "../../src/http/streams/open-streams.ts";
import type { JobStore } from "../../src/ports/jobs.ts";
import { rethrow } from "../support/running/rethrow.ts";
import { storesOver } from "../support/stores/stores-with-facts.ts";
import { listedJob, second, storesWith } from "../support/story/listed-job.ts";
import { API_PARTS } from "../../src/host/optional/api-parts.ts";

const NOW = Date.parse("2026-01-02T00:00:00Z");
const JOBS = Array.from({ length: 330 }, (_, n) =>
  listedJob({
    uid: `uid-${n}`,
    name: `report-${n}`,
    namespace: `team-${n % 3}`,
    // Several Jobs of one instant.
    createdAt: second(Math.floor(n / 4)),
    ...(n % 7 === 0 && { verdict: { state: "Failed", final: true, basis: "both" } }),
  }),
);
const KUBE_JOBS = "/apis/batch/v1/jobs";

interface Server {
  /** Sends lists while it reads them. @default true */
  readonly streaming?: boolean;
  readonly readerLimits?: ReaderLimitOptions;
  /** Called before each page of a list is read. */
  readonly onRead?: () => void;
}

async function openServer({ streaming = true, readerLimits, onRead = () => undefined }: Server = {}) {
  const ports = await storesWith(JOBS);
  const list = ports.jobs.list.bind(ports.jobs);
  const counted: JobStore["list"] = (namespace, options) => {
    onRead();
    return list(namespace, options);
  };
  Object.assign(ports.jobs, { list: counted });
  return createApi({
    ...API_PARTS,
    stores: storesOver(ports),
    access: { kind: "loopback" },
    now: () => NOW,
    version: "0",
    onError: rethrow,
    ...(readerLimits && { readerLimits }),
    ...(streaming && { streams: new OpenStreams() }),
  });
}

type Api = Awaited<ReturnType<typeof openServer>>;

interface Asked extends Pick<RequestInit, "method" | "signal"> {
  readonly accept?: string;
}

const ask = (api: Api, path: string, { accept = "*/*", ...init }: Asked = {}) =>
  api.request(path, { ...init, headers: { host: "localhost", accept } });

describe("a list that is sent while it is read", () => {
  it("is the same document as one that is built first, on each page", async () => {
    const [streaming, whole] = [await openServer(), await openServer({ streaming: false })];
    const query = fc.record({
      limit: fc.integer({ min: 1, max: 500 }),
      filter: fc.constantFrom("", "&state=Failed", "&namespace=team-1", "&name=report-7", "&sort=oldest", "&name=none"),
    });
    await fc.assert(
      fc.asyncProperty(query, async ({ limit, filter }) => {
        let cursor = "";
        do {
          const path = `/v1/jobs?limit=${limit}${filter}${cursor}`;
          const text = await (await ask(streaming, path)).text();
          expect(text).toBe(await (await ask(whole, path)).text());
          const { nextCursor } = JSON.parse(text) as { readonly nextCursor?: string };
          cursor = nextCursor === undefined ? "" : `&cursor=${nextCursor}`;
        } while (cursor !== "");
      }),
      { numRuns: 30 },
    );
  });

  it.each(["application/json", "application/json;as=Table;v=v1;g=meta.k8s.io"])(
    "is the same document of kubectl as one that is built first, as %s",
    async (accept) => {
      const [streaming, whole] = [await openServer(), await openServer({ streaming: false })];
      for (const query of [
        "",
        "?fieldSelector=status.successful%3D1",
        "?labelSelector=no%3Dsuch",
        "?includeObject=None",
      ]) {
        const [sent, built] = [
          await (await ask(streaming, KUBE_JOBS + query, { accept })).text(),
          await (await ask(whole, KUBE_JOBS + query, { accept })).text(),
        ];
        expect(sent).toBe(built);
      }
    },
  );

  it.each(["/v1/jobs?limit=300", KUBE_JOBS])(
    "of %s reads its first part only, until the client reads",
    async (path) => {
      const reads = { count: 0 };
      const api = await openServer({ onRead: () => (reads.count += 1) });
      const response = await ask(api, path);
      const first = reads.count;
      await response.text();
      expect(reads.count).toBeGreaterThan(2 * first);
    },
  );

  it("reads nothing more after the client has left", async () => {
    const reads = { count: 0 };
    const api = await openServer({ onRead: () => (reads.count += 1) });
    const leave = new AbortController();
    const response = await ask(api, KUBE_JOBS, { signal: leave.signal });
    const first = reads.count;
    leave.abort();
    await expect(response.text()).rejects.toThrow();
    expect(reads.count).toBe(first);
  });

  it("counts as a request in progress until the client has read it or left", async () => {
    const api = await openServer({ readerLimits: { most: 2 } });
    const [read, left] = [await ask(api, KUBE_JOBS), await ask(api, "/v1/jobs?limit=300")];
    const refused = await ask(api, "/v1/jobs?limit=1");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    await read.text();
    expect((await ask(api, "/v1/jobs?limit=1")).status).toBe(200);
    await left.body?.cancel();
    expect((await ask(api, KUBE_JOBS, { method: "HEAD" })).status).toBe(200);
    expect((await ask(api, KUBE_JOBS, { method: "HEAD" })).status).toBe(200);
    expect((await ask(api, KUBE_JOBS, { method: "HEAD" })).status).toBe(200);
  });
});

describe("a request whose client has left", () => {
  it("reads nothing more, and is no error of the server", async () => {
    const leave = new AbortController();
    const reads = { count: 0 };
    const api = await openServer({
      onRead: () => {
        reads.count += 1;
        leave.abort();
      },
    });
    // The test holds the request, as a server holds it: the signal of a collected Request is never aborted.
    const headers = { host: "localhost" };
    const request = new Request("http://localhost/v1/summary?by=namespace&state=Failed", {
      headers,
      signal: leave.signal,
    });
    await api.request(request);
    expect(request.signal.aborted).toBe(true);
    expect(reads.count).toBe(1);
  });
});
