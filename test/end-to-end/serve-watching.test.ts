import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { runOutlive, type Serving } from "../support/running/run-outlive.ts";
import { WatchedCluster } from "../support/kubernetes/watched-cluster.ts";
import { jobObject, podObject } from "../support/kubernetes/watch-objects.ts";

const cluster = new WatchedCluster();

interface Job {
  readonly name: string;
  readonly pods: { readonly seen: number; readonly active: number };
  readonly completeness: { readonly level: string };
  readonly deletedAt?: string;
}

const ASK_EVERY_MILLIS = 50;

/** Asks until the answer is as it is waited for: what comes is on its way through a watch, a log and a projection. */
async function job(serving: Serving, isMet: (job: Job) => boolean): Promise<Job> {
  for (;;) {
    const response = await fetch(`${serving.url}/v1/clusters/laptop/namespaces/night/jobs/report`);
    const answer = response.ok ? ((await response.json()) as Job) : undefined;
    if (answer !== undefined && isMet(answer)) return answer;
    await wait(ASK_EVERY_MILLIS);
  }
}

const finished = jobObject({ metadata: { resourceVersion: "720" } });
const pod = podObject({ spec: { nodeName: "node-a" }, status: { phase: "Running" } });

/** A cluster that was created again counts its revisions from the start. */
const EARLIER_REVISION = 5;
const OTHER_UID = "22222222-0000-4000-8000-000000000002";

/** Processes start and end here, and a busy machine takes its time. */
const PATIENT = { timeout: 120_000 };

describe("outlive serve with a kubeconfig", PATIENT, () => {
  it("answers what there is in the cluster, and what happens to it", async () => {
    cluster.server.put("jobs", finished);
    const serving = await cluster.serve();
    expect((await job(serving, () => true)).pods.seen).toBe(0);
    cluster.server.put("pods", pod);
    expect((await job(serving, ({ pods }) => pods.seen === 1)).pods.active).toBe(1);
    const metrics = await (await fetch(`${serving.url}/metrics`)).text();
    expect(metrics).toMatch(/^outlive_ingest_lag_seconds\{cluster="laptop"\} \d/m);
    expect(metrics).toMatch(/^outlive_projection_queue_segments\{cluster="laptop"\} \d/m);
    expect((await serving.stop("SIGTERM")).status).toBe(0);
  });

  it("continues where it stopped, without a gap, and still knows deleted objects", async () => {
    cluster.server.put("jobs", finished);
    const first = await cluster.serve();
    await job(first, () => true);
    await first.stop("SIGTERM");
    cluster.server.put("pods", pod);
    cluster.server.remove("jobs", finished);
    const second = await cluster.serve();
    const answer = await job(second, ({ pods, deletedAt }) => pods.seen === 1 && deletedAt !== undefined);
    expect(answer.completeness.level).toBe("complete");
    await second.stop("SIGTERM");
  });

  it("writes down a gap where the cluster has forgotten what happened, and what vanished in it", async () => {
    cluster.server.put("jobs", finished);
    cluster.server.put("pods", pod);
    const first = await cluster.serve();
    await job(first, ({ pods }) => pods.seen === 1);
    await first.stop("SIGTERM");
    cluster.server.forget("pods", pod);
    cluster.server.restart();
    const second = await cluster.serve();
    const answer = await job(second, ({ pods }) => pods.active === 0);
    expect(answer.completeness.level).toBe("gaps");
    await second.stop("SIGTERM");
  });

  it("ends with status 2 and says what to do when the cluster is another one than before", async () => {
    cluster.server.put("jobs", finished);
    const serving = await cluster.serve();
    await job(serving, () => true);
    cluster.server.kubeSystemUid = OTHER_UID;
    cluster.server.restore(EARLIER_REVISION);
    const { status, stderr } = await serving.ended();
    expect(status).toBe(2);
    expect(stderr).toContain("Cannot watch cluster laptop");
    expect(stderr).toContain(OTHER_UID);
    expect(stderr).toContain("another name in --cluster");
    expect(stderr).not.toContain("database is not open");
  });

  it("does not start to watch another cluster under the name of an earlier one", async () => {
    cluster.server.put("jobs", finished);
    const first = await cluster.serve();
    await job(first, () => true);
    await first.stop("SIGTERM");
    cluster.server.kubeSystemUid = OTHER_UID;
    const second = await cluster.serve();
    expect(await second.ended()).toMatchObject({ status: 2 });
  });

  it("says what is wrong with a kubeconfig, and ends with status 2", async () => {
    const ran = await runOutlive(["serve", "--kubeconfig", "missing", "--listen", "127.0.0.1:0"], {
      cwd: cluster.folder,
    });
    expect(ran.status).toBe(2);
    expect(ran.stderr).toMatch(/Cannot read .*missing as a kubeconfig/);
  });
});
