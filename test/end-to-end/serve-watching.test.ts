import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeApiServer } from "../support/kubernetes/fake-api-server.ts";
import { ManualClock } from "../support/running/manual-clock.ts";
import { runOutlive, scratchFolder, type Serving, serveOutlive } from "../support/running/run-outlive.ts";
import { jobObject, podObject } from "../support/kubernetes/watch-objects.ts";

let scratch: ReturnType<typeof scratchFolder>;
let server: FakeApiServer;

beforeEach(async () => {
  scratch = scratchFolder();
  server = await FakeApiServer.open({ clock: new ManualClock(Date.now()) });
});
afterEach(async () => {
  await scratch.remove();
  await server.close();
});

function serve(): Promise<Serving> {
  const args = ["serve", "--kubeconfig", server.kubeconfig(), "--cluster", "laptop", "--listen", "127.0.0.1:0"];
  return serveOutlive(args, { cwd: scratch.path });
}

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
    server.put("jobs", finished);
    const serving = await serve();
    expect((await job(serving, () => true)).pods.seen).toBe(0);
    server.put("pods", pod);
    expect((await job(serving, ({ pods }) => pods.seen === 1)).pods.active).toBe(1);
    expect((await serving.stop("SIGTERM")).status).toBe(0);
  });

  it("continues where it stopped, without a gap, and still knows deleted objects", async () => {
    server.put("jobs", finished);
    const first = await serve();
    await job(first, () => true);
    await first.stop("SIGTERM");
    server.put("pods", pod);
    server.remove("jobs", finished);
    const second = await serve();
    const answer = await job(second, ({ pods, deletedAt }) => pods.seen === 1 && deletedAt !== undefined);
    expect(answer.completeness.level).toBe("complete");
    await second.stop("SIGTERM");
  });

  it("writes down a gap where the cluster has forgotten what happened, and what vanished in it", async () => {
    server.put("jobs", finished);
    server.put("pods", pod);
    const first = await serve();
    await job(first, ({ pods }) => pods.seen === 1);
    await first.stop("SIGTERM");
    server.forget("pods", pod);
    server.restart();
    const second = await serve();
    const answer = await job(second, ({ pods }) => pods.active === 0);
    expect(answer.completeness.level).toBe("gaps");
    await second.stop("SIGTERM");
  });

  it("ends with status 2 and says what to do when the cluster is another one than before", async () => {
    server.put("jobs", finished);
    const serving = await serve();
    await job(serving, () => true);
    server.kubeSystemUid = OTHER_UID;
    server.restore(EARLIER_REVISION);
    const { status, stderr } = await serving.ended();
    expect(status).toBe(2);
    expect(stderr).toContain("Cannot watch cluster laptop");
    expect(stderr).toContain(OTHER_UID);
    expect(stderr).toContain("another name in --cluster");
    expect(stderr).not.toContain("database is not open");
  });

  it("does not start to watch another cluster under the name of an earlier one", async () => {
    server.put("jobs", finished);
    const first = await serve();
    await job(first, () => true);
    await first.stop("SIGTERM");
    server.kubeSystemUid = OTHER_UID;
    const second = await serve();
    expect(await second.ended()).toMatchObject({ status: 2 });
  });

  it("says what is wrong with a kubeconfig, and ends with status 2", async () => {
    const ran = await runOutlive(["serve", "--kubeconfig", "missing", "--listen", "127.0.0.1:0"], {
      cwd: scratch.path,
    });
    expect(ran.status).toBe(2);
    expect(ran.stderr).toMatch(/Cannot read .*missing as a kubeconfig/);
  });
});
