import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonical } from "../../../../src/job/model/canonical.ts";
import { parseInstant } from "../../../../src/job/model/instant.ts";
import type { JobAnswer } from "../../../../src/explain/answer-document.ts";
import { clusterNamed } from "../../../support/facts/names.ts";
import { type ApiClient, createApiClient } from "../api-client.ts";
import { type DeployedStack, deployStack, speakTo } from "../deployed-stack.ts";
import { emulatorWanted } from "../emulator-wanted.ts";
import { poll } from "../poll.ts";
import { foldCluster, type RecordedCluster, recordedClusters, sealed } from "../recorded-clusters.ts";
import { createStackTools, type StackTools } from "../stack-tools.ts";
import { type FailingProxy, startFailingProxy } from "../failing-proxy.ts";

const wanted = emulatorWanted();
const PATIENCE = 600_000;

let deployed: DeployedStack | undefined;
let proxy: FailingProxy | undefined;
let stack: DeployedStack;
let api: ApiClient;
let tools: StackTools;

beforeAll(async () => {
  if (wanted.outcome === "skip") return;
  deployed = stack = await deployStack(wanted.name);
  speakTo(stack);
  api = createApiClient(stack.apiUrl);
  tools = createStackTools(stack);
  proxy = await startFailingProxy(stack.emulator.endpoint);
  await tools.redirectIngest(proxy.url);
});
afterAll(() => {
  deployed?.stop();
  proxy?.stop();
});

/** Sends what was recorded of a cluster under ten names, with a message among it that is no segment. */
async function sendAll(recorded: RecordedCluster): Promise<readonly RecordedCluster[]> {
  const clusters = Array.from({ length: 10 }, (_, n) => ({ ...recorded, cluster: clusterNamed(`outage-${n}`) }));
  for (const cluster of clusters) await tools.send(cluster, sealed(cluster, Date.now()));
  await tools.send(recorded, [Buffer.from("no segment")]);
  return clusters;
}

async function answersAsFolded(recorded: RecordedCluster): Promise<void> {
  const { jobs, answer } = await foldCluster(recorded);
  for (const job of jobs) {
    await poll(`${job.cluster} ${job.name} answers as it folds`, () => isEqual(job, answer), { patience: PATIENCE });
  }
}

async function isEqual(job: JobAnswer, answer: Awaited<ReturnType<typeof foldCluster>>["answer"]) {
  const text = await api.job(job);
  if (text === undefined) return undefined;
  const { generations: _, ...said } = JSON.parse(text) as JobAnswer & { readonly generations?: unknown };
  const folded = answer(job.uid, parseInstant(said.asOf.time) ?? 0);
  return canonical(said) === canonical(folded) ? true : undefined;
}

describe.skipIf(wanted.outcome === "skip")("ingest without DynamoDB", () => {
  it("keeps everything in the queue, gives nothing up, and answers for all of it afterwards", async () => {
    const [recorded] = (await recordedClusters()).filter(({ cluster }) => cluster === "deadline");
    if (recorded === undefined) throw new Error("There is no recording deadline.");
    proxy?.fail();
    const clusters = await sendAll(recorded);
    const sent = await tools.waiting();
    await poll(
      "every message was tried and refused",
      async () => ((proxy?.refused ?? 0) > 4 * sent ? true : undefined),
      { patience: PATIENCE },
    );
    expect(await tools.waiting()).toBe(sent);
    expect(await tools.deadLetters()).toBe(0);
    expect(await tools.setAside()).toEqual([]);
    proxy?.recover();
    for (const cluster of clusters) await answersAsFolded(cluster);
    await poll("the queue is empty", async () => ((await tools.waiting()) === 0 ? true : undefined));
    expect(await tools.deadLetters()).toBe(0);
    expect(await tools.setAside()).toHaveLength(1);
  });
});
