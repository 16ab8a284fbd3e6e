import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import { createApi } from "../../../src/http/create-api.ts";
import type { ReaderLimitOptions } from "../../../src/http/access/reader-limits.ts";
import { OpenStreams } from "../../../src/http/streams/open-streams.ts";
import type { ConnectionLimits } from "../../../src/host/server/connection-limits.ts";
import { listen, type Listening } from "../../../src/host/server/listen.ts";
import { storesOver } from "../../support/stores/stores-with-facts.ts";
import { listedJob, second, storesWith } from "../../support/story/listed-job.ts";
import { API_PARTS } from "../../../src/host/optional/api-parts.ts";

/** The list has 45 MB. The buffers of a connection have 10 MB at most on Linux, and a page of the list has 3 MB. */
const LONG = "x".repeat(30_000);
const PAGES = 15;
const JOBS = Array.from({ length: PAGES * 100 }, (_, n) =>
  listedJob({ uid: `uid-${n}`, name: `report-${n}`, createdAt: second(n), labels: { long: LONG } }),
);
const LIST = "/apis/batch/v1/jobs";

const servers: Listening[] = [];
afterAll(async () => {
  for (const server of servers) await server.close();
});

interface Scene {
  readonly limits?: ConnectionLimits;
  readonly readerLimits?: ReaderLimitOptions;
  /** The number of pages after which reading lists fails. */
  readonly failsAfter?: number;
}

async function serving({ limits = {}, readerLimits = {}, failsAfter = Infinity }: Scene) {
  const ports = await storesWith(JOBS);
  const errors: string[] = [];
  const list = ports.jobs.list.bind(ports.jobs);
  let pages = 0;
  const failing: typeof list = async (namespace, options) => {
    pages += 1;
    if (pages > failsAfter) throw new Error("the disk failed");
    return list(namespace, options);
  };
  Object.assign(ports.jobs, { list: failing });
  const api = createApi({
    ...API_PARTS,
    stores: storesOver(ports),
    access: { kind: "loopback" },
    now: Date.now,
    version: "0",
    onError: ({ message }) => errors.push(message),
    readerLimits,
    streams: new OpenStreams(),
  });
  const server = await listen(api, { host: "127.0.0.1", port: 0 }, { limits });
  servers.push(server);
  return { url: server.url, port: Number(new URL(server.url).port), errors, pages: () => pages };
}

/** A client that takes a part of the list and then nothing more. */
async function stalledClient(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(`GET ${LIST} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  await once(socket, "readable");
  return socket;
}

async function untilAdmitted(url: string): Promise<Response> {
  for (;;) {
    const response = await fetch(`${url}/v1/jobs?limit=1`);
    if (response.status !== 429) return response;
    await response.text();
  }
}

describe("an answer whose client stops reading", () => {
  it("occupies its reader's place until the client has left, and is not built further", async () => {
    const { url, port, pages, errors } = await serving({ readerLimits: { most: 1 } });
    const client = await stalledClient(port);
    const refused = await fetch(`${url}/v1/jobs?limit=1`);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    client.destroy();
    expect((await untilAdmitted(url)).status).toBe(200);
    expect(pages()).toBeLessThan(PAGES / 2);
    expect(errors).toEqual([]);
  });

  it("ends when the client has taken nothing for some time", async () => {
    const { url, port } = await serving({ limits: { unreadMillis: 50 }, readerLimits: { most: 1 } });
    await stalledClient(port);
    expect((await untilAdmitted(url)).status).toBe(200);
  });

  it("leaves the places of other addresses alone", async () => {
    const { url, port } = await serving({ readerLimits: { most: 1 } });
    const client = await stalledClient(port);
    const other = connect({ port, host: "127.0.0.1", localAddress: "127.0.0.2" });
    other.write("GET /v1/jobs?limit=1 HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    const [head] = (await once(other, "data")) as [Buffer];
    expect(head.toString()).toMatch(/^HTTP\/1\.1 200 /);
    other.destroy();
    client.destroy();
    await untilAdmitted(url);
  });
});

describe("an answer that cannot be completed", () => {
  it.each([LIST, "/v1/jobs?limit=500"])(
    "closes the connection, so that no client takes it for complete: %s",
    async (path) => {
      const { url, errors } = await serving({ failsAfter: 4 });
      await expect(fetch(url + path).then((response) => response.text())).rejects.toThrow();
      expect(errors).toEqual(["the disk failed"]);
    },
  );
});
