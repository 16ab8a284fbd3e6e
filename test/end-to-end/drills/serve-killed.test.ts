import { describe, expect, it } from "vitest";
import { jobObject, podObject } from "../../support/kubernetes/watch-objects.ts";
import { runOutlive } from "../../support/running/run-outlive.ts";
import { WatchedCluster } from "../../support/kubernetes/watched-cluster.ts";

const JOBS = 60;
const KILLS = 3;
const QUESTIONS = 40;

const cluster = new WatchedCluster();

const uidOf = (kind: number, n: number) => `${kind}0000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

/** Job `n` and its Pod, which has succeeded. */
function finish(n: number): void {
  const job = { name: `report-${n}`, uid: uidOf(1, n) };
  cluster.server.put("jobs", jobObject({ metadata: { ...job, resourceVersion: String(1000 + 2 * n) } }));
  const owner = { apiVersion: "batch/v1", kind: "Job", controller: true, ...job };
  const metadata = { name: `report-${n}-x`, uid: uidOf(2, n), ownerReferences: [owner] };
  cluster.server.put("pods", podObject({ metadata, spec: { nodeName: "node-a" }, status: { phase: "Succeeded" } }));
}

interface Answer {
  readonly uid: string;
  readonly pods: { readonly seen: number; readonly succeeded: number };
}

/** An answer, or `undefined` if the server was killed before it was complete. */
async function ask(url: string, n: number): Promise<Answer | undefined> {
  try {
    const response = await fetch(`${url}/v1/clusters/laptop/namespaces/night/jobs/report-${n}`);
    return response.ok ? ((await response.json()) as Answer) : undefined;
  } catch (cause) {
    if (cause instanceof Error) return undefined;
    throw cause;
  }
}

/** Asks until the server knows the Job's Pod. */
async function known(url: string, n: number): Promise<Answer> {
  for (;;) {
    const answer = await ask(url, n);
    if (answer?.pods.succeeded === 1) return answer;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("outlive serve that is killed with -9 while it writes and answers", () => {
  it("gives no wrong answer, loses no fact, and leaves a sound database", async () => {
    const answers: (Answer | undefined)[] = [];
    let made = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const serving = await cluster.serve();
      const until = made + JOBS / KILLS;
      finish(made);
      await known(serving.url, made);
      for (made += 1; made < until; made += 1) finish(made);
      const asked = Array.from({ length: QUESTIONS }, (_, n) => ask(serving.url, n % made));
      answers.push(await Promise.race(asked));
      await serving.stop("SIGKILL");
      answers.push(...(await Promise.all(asked)));
    }
    for (const answer of answers) {
      if (answer !== undefined) expect(answer.pods.succeeded).toBeLessThanOrEqual(answer.pods.seen);
      if (answer !== undefined) expect(answer.pods.seen).toBeLessThanOrEqual(1);
    }
    expect(answers.some((answer) => answer !== undefined)).toBe(true);

    const last = await cluster.serve();
    for (let n = 0; n < made; n += 1) expect(await known(last.url, n)).toMatchObject({ uid: uidOf(1, n) });
    expect((await last.stop("SIGTERM")).status).toBe(0);
    expect(await runOutlive(["verify"], { cwd: cluster.folder })).toMatchObject({ status: 0 });
  });
});
