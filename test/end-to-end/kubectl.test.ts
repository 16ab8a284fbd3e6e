import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Embedded, openEmbedded } from "../../src/host/embedded/embedded-tracker.ts";
import { importRecordings } from "../../src/host/embedded/import-recordings.ts";
import { type Listening, listen } from "../../src/host/server/listen.ts";
import { serverApi } from "../../src/host/server/server-api.ts";
import { OpenStreams } from "../../src/http/streams/open-streams.ts";
import { rethrow } from "../support/running/rethrow.ts";
import { skipWithout } from "../support/running/skip-without.ts";

const RECORDING = ["ndjson.gz", "audit.ndjson.gz"].map(
  (ending) => new URL(`../../examples/pod-gc-ate-success.${ending}`, import.meta.url).pathname,
);
/** The binary that the environment names, else the one on the path. */
// oxlint-disable-next-line node/no-process-env -- the binary is a setting of the machine that runs the tests
const KUBECTL = process.env["OUTLIVE_TEST_KUBECTL"] ?? "kubectl";
const isThere = spawnSync(KUBECTL, ["version", "--client"]).status === 0;
const withoutKubectl = skipWithout(isThere, {
  dependency: "kubectl",
  untested: "kubectl as a client of Outlive",
  reason: "neither on the PATH nor in OUTLIVE_TEST_KUBECTL",
});

const run = promisify(execFile);

describe.skipIf(withoutKubectl)("kubectl itself, pointed at Outlive", () => {
  const streams = new OpenStreams();
  const folder = mkdtempSync(join(tmpdir(), "outlive-kubectl-"));
  let embedded: Embedded;
  let server: Listening;

  beforeAll(async () => {
    embedded = openEmbedded(":memory:");
    await importRecordings(embedded, { clusterName: "incident", files: RECORDING });
    const app = serverApi({ stores: embedded, access: { kind: "loopback" }, onError: rethrow, streams });
    server = await listen(app, { host: "127.0.0.1", port: 0 });
    const named = { name: "outlive" };
    const config = {
      apiVersion: "v1",
      kind: "Config",
      "current-context": "outlive",
      clusters: [{ ...named, cluster: { server: `${server.url}/clusters/incident` } }],
      contexts: [{ ...named, context: { cluster: "outlive", user: "outlive", namespace: "pod-gc-ate-success" } }],
      users: [{ ...named, user: {} }],
    };
    writeFileSync(join(folder, "config"), JSON.stringify(config));
  }, 120_000);

  afterAll(async () => {
    streams.endAll();
    await server.close();
    embedded.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const kubectl = async (...args: readonly string[]): Promise<{ status: number; stdout: string; stderr: string }> => {
    // Discovery is cached in the home folder.
    const env = { HOME: folder, KUBECONFIG: join(folder, "config") };
    try {
      return { status: 0, ...(await run(KUBECTL, args, { env, maxBuffer: 1 << 26 })) };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { status: code, stdout, stderr };
    }
  };

  it("gets Jobs, and the Pods of one, that no cluster has any more", async () => {
    const { stdout } = await kubectl("get", "jobs,pods", "-A", "-o", "wide");
    expect(stdout).toMatch(/job\.batch\/render-0018 +Complete +9\/1 +5m7s/);
    expect(stdout).toMatch(/pod\/render-0018-8vx54 +0\/1 +Completed .*pod-garbage-collector/);
    const pods = JSON.parse((await kubectl("get", "pods", "-l", "job-name=render-0018", "-o", "json")).stdout) as {
      items: unknown[];
    };
    expect(pods.items).toHaveLength(9);
  }, 60_000);

  it("waits for a Job that is long over, and describes it", async () => {
    const waited = await kubectl("wait", "--for=condition=complete", "job/render-0018", "--timeout=30s");
    expect(waited).toMatchObject({ status: 0, stdout: "job.batch/render-0018 condition met\n" });
    const { stdout } = await kubectl("describe", "job", "render-0018");
    expect(stdout).toContain("0 Active (0 Ready) / 9 Succeeded / 0 Failed");
    expect(stdout).toContain("pod/render-0018-8vx54 succeeded");
  }, 60_000);

  it("explains its resources, supports watch and wait, and says that there are no logs", async () => {
    expect((await kubectl("explain", "job.status.succeeded")).stdout).toContain("including deleted ones");
    const active = "jsonpath={.status.phase}=Active";
    expect(await kubectl("wait", `--for=${active}`, "ns/pod-gc-ate-success", "--timeout=30s")).toMatchObject({
      status: 0,
      stderr: "",
    });
    expect(await kubectl("get", "cronjobs", "-w", "--request-timeout=1s")).toMatchObject({ status: 0 });
    const logs = await kubectl("logs", "job/render-0018");
    expect(logs.stderr).toContain("Outlive does not store container logs");
    expect((await kubectl("describe", "pod", "render-0018-8vx54")).stdout).toMatch(/Normal +PodDeleted/);
  }, 60_000);

  it("gets a sentence for missing objects and unsupported requests", async () => {
    expect(await kubectl("get", "job", "rendr-0018")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("did you mean render-0018") as string,
    });
    expect(await kubectl("delete", "job", "render-0018", "--wait=false")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("Outlive is read-only") as string,
    });
  }, 60_000);
});
