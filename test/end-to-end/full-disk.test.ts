import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SmallDisk } from "../../bench/chaos/small-disk.ts";
import { WatchedCluster } from "../support/kubernetes/watched-cluster.ts";
import { jobObject } from "../support/kubernetes/watch-objects.ts";
import { serveOutlive, type Serving } from "../support/running/run-outlive.ts";
import { skipWithout } from "../support/running/skip-without.ts";

const skip = skipWithout(process.getuid?.() === 0 && process.platform === "linux", {
  dependency: "root on Linux",
  untested: "outlive serve on a full disk (a tmpfs is mounted)",
  reason: "the tests run as another user",
});
const cluster = new WatchedCluster();
const ASK_EVERY_MILLIS = 100;
const MEGABYTES = 8;

let disk: SmallDisk;
beforeEach(() => {
  if (!skip) disk = new SmallDisk(join(cluster.folder, "disk"), MEGABYTES);
});
afterEach(() => {
  if (!skip) disk.unmount();
});

function serve(port = 0): Promise<Serving> {
  const watch = ["--kubeconfig", cluster.server.kubeconfig(), "--cluster", "laptop"];
  const args = ["serve", "--database", join(disk.path, "o.sqlite"), ...watch, "--listen", `127.0.0.1:${port}`];
  return serveOutlive(args, { cwd: cluster.folder });
}

/** Asks until the answer has this status and this text. Returns the answer. */
async function answered({ url }: Pick<Serving, "url">, path: string, { status = 200, text = "" } = {}) {
  for (;;) {
    // A process that starts does not listen yet.
    const response = await fetch(`${url}${path}`).catch(() => new Response("", { status: 502 }));
    const answer = await response.text();
    if (response.status === status && answer.includes(text)) return answer;
    await wait(ASK_EVERY_MILLIS);
  }
}

/** Scrapes until the metrics have this line. */
async function scraped({ url }: Serving, line: RegExp): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/metrics`);
    expect(response.status).toBe(200);
    if (line.test(await response.text())) return;
    await wait(ASK_EVERY_MILLIS);
  }
}

const REPORT = "/v1/clusters/laptop/namespaces/night/jobs/report";

/** An address for a process that listens, ends to listen, and listens again. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

describe.skipIf(skip)("outlive serve on a disk that is full", { timeout: 120_000 }, () => {
  it("is not ready but alive, answers, and stores what happened once there is room", async () => {
    const serving = await serve();
    await answered(serving, "/v1/readyz");
    expect(disk.fill()).toBe(true);
    cluster.server.put("jobs", jobObject({ metadata: { resourceVersion: "720" } }));
    await answered(serving, "/v1/readyz", { status: 503, text: "The disk of the database is full" });
    await scraped(serving, /^outlive_projection_queue_segments\{cluster="laptop"\} [1-9]/m);
    await scraped(serving, /^outlive_ingest_lag_seconds\{cluster="laptop"\} [1-9]/m);
    expect((await fetch(`${serving.url}/v1/healthz`)).status).toBe(200);
    expect((await fetch(`${serving.url}/v1/jobs`)).status).toBe(200);
    expect((await fetch(`${serving.url}${REPORT}`)).status).toBe(404);
    disk.empty();
    await answered(serving, "/v1/readyz");
    expect(JSON.parse(await answered(serving, REPORT))).toMatchObject({ completeness: { level: "complete" } });
    await scraped(serving, /^outlive_ingest_lag_seconds\{cluster="laptop"\} 0$/m);
    expect(await serving.stop("SIGTERM")).toMatchObject({ status: 0 });
  });

  it("waits for room if it starts there, alive but not ready", async () => {
    const port = await freePort();
    await (await serve(port)).stop("SIGTERM");
    expect(disk.fill()).toBe(true);
    const url = `http://127.0.0.1:${port}`;
    const restarted = serve(port);
    await answered({ url }, "/v1/readyz", { status: 503, text: "The disk of the database is full" });
    await answered({ url }, "/v1/healthz");
    disk.empty();
    const serving = await restarted;
    await answered(serving, "/v1/readyz");
    expect(await serving.stop("SIGTERM")).toMatchObject({ status: 0 });
  });
});
