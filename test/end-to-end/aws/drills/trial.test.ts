import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clusterNamed } from "../../../support/facts/names.ts";
import { type ApiClient, createApiClient, jobPath } from "../api-client.ts";
import { type DeployedStack, deployStack, speakTo } from "../deployed-stack.ts";
import { emulatorWanted } from "../emulator-wanted.ts";
import { poll } from "../poll.ts";
import { foldCluster, type RecordedCluster, recordedClusters, sealed } from "../recorded-clusters.ts";
import { createStackTools, type StackTools } from "../stack-tools.ts";

const wanted = emulatorWanted();
const PATIENCE = 300_000;
/** There and back, and there again. */
const SWITCHES = 5;
const LANES = 3;

let deployed: DeployedStack | undefined;
let stack: DeployedStack;
let api: ApiClient;
let tools: StackTools;
let recorded: RecordedCluster;

beforeAll(async () => {
  if (wanted.outcome === "skip") return;
  const [found] = (await recordedClusters()).filter(({ cluster }) => cluster === "deadline");
  if (found === undefined) throw new Error("There is no recording deadline.");
  recorded = found;
  deployed = stack = await deployStack(wanted.name);
  speakTo(stack);
  api = createApiClient(stack.apiUrl);
  tools = createStackTools(stack);
  await arrives(recorded);
}, 600_000);
afterAll(() => deployed?.stop());

/** Sends the recording, and resolves when each of its Jobs has its verdict. */
async function arrives(cluster: RecordedCluster): Promise<void> {
  await tools.send(cluster, sealed(cluster, Date.now()));
  const { jobs } = await foldCluster(cluster);
  await poll(
    `${cluster.cluster} is projected`,
    async () => {
      const texts = await Promise.all(jobs.map((job) => api.job(job)));
      const isEqual = texts.every((text, index) => text?.includes(`"state":"${jobs[index]?.verdict.state ?? ""}"`));
      return isEqual ? true : undefined;
    },
    { patience: PATIENCE - 30_000 },
  );
}

async function succeeds(...args: readonly string[]): Promise<string> {
  const { status, stderr } = await tools.outlive([...args, "--stack", stack.stackName]);
  expect([args.join(" "), status, stderr]).toEqual([args.join(" "), 0, expect.any(String)]);
  return stderr;
}

function liveIn(pointer = "{}"): unknown {
  return (JSON.parse(pointer) as { readonly live?: string }).live;
}

interface Asked {
  readonly answers: number;
  readonly unexpected: readonly string[];
}

/** Asks about the Jobs, one after the other, until `until` ends. A throttled request counts as one that failed. */
async function askUntil(until: Promise<unknown>, expected: ReadonlyMap<string, string>): Promise<Asked> {
  const asking = new AbortController();
  const over = until.finally(() => asking.abort());
  let answers = 0;
  const unexpected: string[] = [];
  const lanes = Array.from({ length: LANES }, async () => {
    while (!asking.signal.aborted) {
      for (const [path, text] of expected) {
        const response = await fetch(`${stack.apiUrl}${path}`);
        const answered = await response.text();
        answers += 1;
        if (response.status !== 200 || answered !== text) unexpected.push(`${path}: ${response.status} ${answered}`);
      }
    }
  });
  await Promise.all([over, ...lanes]);
  return { answers, unexpected };
}

describe.skipIf(wanted.outcome === "skip")("a stage with a second projection beside the one that answers", () => {
  it(
    "finds no difference between two projections of the same release",
    async () => {
      expect(await succeeds("replay", "--trial")).toContain("still answers, and the other one is complete");
      expect(await succeeds("compare")).toContain("no differences");
    },
    PATIENCE,
  );

  it(
    "answers every query the same while the projections are switched there and back",
    async () => {
      const { jobs } = await foldCluster(recorded);
      const expected = new Map<string, string>();
      for (const job of jobs) {
        const path = `${jobPath(job)}?uid=${job.uid}`;
        expected.set(path, (await api.ask(path)).text);
      }
      const live: unknown[] = [];
      const switching = async (): Promise<void> => {
        for (let count = 0; count < SWITCHES; count += 1) {
          await succeeds("switch");
          live.push(liveIn(await tools.liveProjection()));
        }
      };
      const { answers, unexpected } = await askUntil(switching(), expected);
      expect(unexpected).toEqual([]);
      expect(answers).toBeGreaterThan(SWITCHES * LANES);
      expect(new Set(live).size).toBe(2);
    },
    PATIENCE,
  );

  it(
    "keeps both up to date, so that a switch back loses nothing",
    async () => {
      const fresh = { ...recorded, cluster: clusterNamed("during-the-trial") };
      await arrives(fresh);
      await poll("both have it", async () => {
        const { status } = await tools.outlive(["compare", "--stack", stack.stackName]);
        return status === 0 ? true : undefined;
      });
      await succeeds("switch");
      const { jobs } = await foldCluster(fresh);
      for (const job of jobs) expect(await api.job(job)).toContain(`"state":"${job.verdict.state}"`);
      expect(await succeeds("switch", "--end")).toContain("The trial has ended");
    },
    PATIENCE,
  );
});
