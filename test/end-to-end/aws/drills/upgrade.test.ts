import { DynamoDBClient, ScanCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDynamoMetaStore } from "../../../../src/adapters/dynamodb/dynamo-meta-store.ts";
import { createDynamoProjections } from "../../../../src/adapters/dynamodb/jobs/dynamo-projections.ts";
import { createDynamoLog } from "../../../../src/adapters/dynamodb/log/dynamo-log.ts";
import type { LogItem } from "../../../../src/ports/log.ts";
import { liveJobs } from "../../../../src/projection/live-projection.ts";
import { encodeCursor } from "../../../../src/query/list/cursor.ts";
import { verifyProjection } from "../../../../src/upkeep/replay/verify-projection.ts";
import { decodeSegment } from "../../../../src/segment/decode-segment.ts";
import { segmentKey } from "../../../../src/segment/segment-key.ts";
import { appendSingly } from "../../../support/stores/both-layouts.ts";
import { type ApiClient, createApiClient } from "../api-client.ts";
import { type DeployedStack, deployStack, speakTo } from "../deployed-stack.ts";
import { emulatorWanted } from "../emulator-wanted.ts";
import { poll } from "../poll.ts";
import { foldCluster, type RecordedCluster, recordedClusters, sealed } from "../recorded-clusters.ts";
import { createStackTools, type StackTools } from "../stack-tools.ts";

const wanted = emulatorWanted();
/** Before the upgrade. */
const OLD_AT = Date.now() - 60_000;

let deployed: DeployedStack | undefined;
let stack: DeployedStack;
let api: ApiClient;
let tools: StackTools;
let recorded: RecordedCluster;
/** All segments of the recording. The first half is in the log of the earlier release. */
let messages: readonly Uint8Array[];

beforeAll(async () => {
  if (wanted.outcome === "skip") return;
  const [found] = (await recordedClusters()).filter(({ cluster }) => cluster === "deadline");
  if (found === undefined) throw new Error("There is no recording deadline.");
  recorded = found;
  messages = sealed(recorded, OLD_AT);
  deployed = stack = await deployStack(wanted.name);
  speakTo(stack);
  api = createApiClient(stack.apiUrl);
  tools = createStackTools(stack);
});
afterAll(() => deployed?.stop());

/** The tables of the stage, read as its functions read them. */
function stores() {
  const client = new DynamoDBClient({});
  const { LogTable, MetaTable, JobsTableA, JobsTableB, RunsTableA, RunsTableB } = stack.outputs;
  const retentionDays = 400;
  return {
    client,
    log: createDynamoLog(client, { table: LogTable, retentionDays }),
    meta: createDynamoMetaStore(client, { table: MetaTable, retentionDays }),
    projections: createDynamoProjections(client, {
      tables: { A: JobsTableA, B: JobsTableB },
      runTables: { A: RunsTableA, B: RunsTableB },
      retentionDays,
    }),
  };
}

function itemOf(bytes: Uint8Array): LogItem {
  const decoded = decodeSegment(bytes);
  if (decoded.outcome === "rejected") throw new Error(decoded.reason);
  const { segment, sha256 } = decoded;
  return { key: segmentKey(segment), bytes, sha256, factCount: segment.facts.length };
}

/** Resolves when every Job has the verdict of a fold of all facts, and the projection is the fold of the log. */
async function isFoldOfEverything(): Promise<void> {
  const { jobs } = await foldCluster(recorded);
  const { log, meta, projections } = stores();
  await poll("the stage answers as the facts fold", async () => {
    const answers = await Promise.all(jobs.map((job) => api.job(job)));
    const states = answers.map((text) => text && (JSON.parse(text) as (typeof jobs)[number]).verdict.state);
    if (JSON.stringify(states) !== JSON.stringify(jobs.map(({ verdict }) => verdict.state))) return undefined;
    const verified = await verifyProjection({ log, meta, jobs: await liveJobs(projections, meta) });
    const problems = verified.mismatches.length + verified.unreadable.length;
    return problems === 0 && verified.jobs === jobs.length ? true : undefined;
  });
}

async function itemsInLog(): Promise<{ readonly packs: number; readonly single: number }> {
  const { client } = stores();
  const { Items = [] } = await client.send(new ScanCommand({ TableName: stack.outputs.LogTable }));
  const packs = Items.filter((item) => item["pack"] !== undefined).length;
  return { packs, single: Items.length - packs };
}

describe.skipIf(wanted.outcome === "skip")("a stage with the log of an earlier release", () => {
  it("answers what a fold of everything answers, after more arrived and some arrived again", async () => {
    const half = Math.ceil(messages.length / 2);
    expect(half).toBeGreaterThan(1);
    await appendSingly(stores(), messages.slice(0, half).map(itemOf));
    await tools.send(recorded, [...messages.slice(half), ...messages.slice(0, 1), ...messages.slice(-1)]);
    await isFoldOfEverything();
    const { packs, single } = await itemsInLog();
    expect(single).toBe(half);
    expect(packs).toBeGreaterThan(0);
  });

  it("refuses a cursor of changes of that release, and repeats none and misses none from where it says", async () => {
    const cursor = encodeCursor("changes", ["pass", OLD_AT - 5_000, ""]);
    const refused = await api.ask(`/v1/changes?cursor=${cursor}`);
    expect(refused.status).toBe(400);
    const since = /since=([^`]+)`/.exec(refused.text)?.[1] ?? "";
    const names = new Set<string>();
    const { jobs } = await foldCluster(recorded);
    let query = `since=${since}`;
    await poll("the changes name every Job", async () => {
      const { text, status } = await api.ask(`/v1/changes?${query}`);
      expect(status, text).toBe(200);
      const page = JSON.parse(text) as {
        readonly items: readonly { readonly job: { readonly name: string } }[];
        readonly nextCursor: string;
      };
      for (const { job } of page.items) names.add(job.name);
      query = `cursor=${page.nextCursor}`;
      return jobs.every(({ name }) => names.has(name)) ? true : undefined;
    });
  });

  it("is rebuilt from both layouts to the same answers", async () => {
    await tools.replay();
    await isFoldOfEverything();
  });

  it("is audited in both layouts without a finding", async () => {
    expect(await tools.audit()).toMatchObject({ unapplied: 0, isBehind: false });
  });
});
