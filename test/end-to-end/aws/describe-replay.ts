import { expect, it } from "vitest";
import { createDynamoClient } from "../../../src/adapters/dynamodb/dynamo-client.ts";
import { createDynamoMetaStore } from "../../../src/adapters/dynamodb/dynamo-meta-store.ts";
import { createDynamoProjections } from "../../../src/adapters/dynamodb/jobs/dynamo-projections.ts";
import { isJobFact } from "../../../src/job/model/fact.ts";
import type { JobStore } from "../../../src/ports/jobs.ts";
import { readLivePointer } from "../../../src/projection/live-projection.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import type { DeployedStack } from "./deployed-stack.ts";
import { poll } from "./poll.ts";
import { type RecordedCluster, sealed } from "./recorded-clusters.ts";
import type { StackTools } from "./stack-tools.ts";

export interface ReplayedStage {
  readonly stack: DeployedStack;
  readonly tools: StackTools;
}

const MINUTE = 60_000;
const KILL_MILLIS = 3_000;
const MOST_KILLS = 6;

/** Rebuilds a deployed stage with its state machine. The recorded clusters arrive over several hours. */
export function describeReplay(open: () => ReplayedStage, recorded: readonly RecordedCluster[]): void {
  const clusters = recorded.map((each) => ({ ...each, cluster: clusterNamed(`replayed-${each.cluster}`) }));

  it("has the same states byte for byte, though workers are killed while they project their units", async () => {
    const { stack, tools } = open();
    for (const [index, cluster] of clusters.entries()) {
      const arrivedAt = Date.now() - (index + 2) * 50 * MINUTE;
      await tools.appendAt(sealed(cluster, arrivedAt - 500), arrivedAt);
    }
    const before = await poll("all Jobs are projected", () => wholeStates(stack, clusters));
    const kills = killRepeatedly(tools);
    await tools.replay().finally(kills.stop);
    expect(await statesOf(stack, clusters)).toEqual(before);
  });

  it("has no replay to resume afterwards", async () => {
    const { stack, tools } = open();
    const { status, stderr } = await tools.outlive(["replay", "--resume", "--stage", stack.stage]);
    expect([status, stderr]).toEqual([3, expect.stringContaining("No replay was interrupted")]);
  });
}

/** Each step may fail nine times. */
function killRepeatedly(tools: StackTools): { readonly stop: () => void } {
  let left = MOST_KILLS;
  const timer = setInterval(() => {
    left -= 1;
    tools.killFunctions();
    if (left === 0) clearInterval(timer);
  }, KILL_MILLIS);
  return { stop: () => clearInterval(timer) };
}

/** The stored bytes of each Job's state by its uid; `undefined` if there is none. */
type States = ReadonlyMap<string, string | undefined>;

/** The states in the projection that answers. */
async function statesOf({ outputs }: DeployedStack, clusters: readonly RecordedCluster[]): Promise<States> {
  const client = createDynamoClient();
  const tables = { A: outputs.JobsTableA, B: outputs.JobsTableB };
  const runTables = { A: outputs.RunsTableA, B: outputs.RunsTableB };
  const projections = createDynamoProjections(client, { tables, runTables, retentionDays: 400 });
  const { live } = await readLivePointer(
    createDynamoMetaStore(client, { table: outputs.MetaTable, retentionDays: 400 }),
  );
  const states = new Map<string, string | undefined>();
  for (const cluster of clusters) await addStates(states, projections.open(live), cluster);
  return states;
}

async function addStates(
  states: Map<string, string | undefined>,
  jobs: JobStore,
  { cluster, facts }: RecordedCluster,
): Promise<void> {
  for (const jobUid of new Set(facts.filter(isJobFact).map((fact) => fact.jobUid))) {
    const stored = await jobs.read({ cluster, jobUid });
    states.set(`${cluster} ${jobUid}`, stored && Buffer.from(stored.bytes).toString("hex"));
  }
}

/** The states once they have the facts of all segments: twice the same ones. */
async function wholeStates(stack: DeployedStack, clusters: readonly RecordedCluster[]): Promise<States | undefined> {
  const first = await statesOf(stack, clusters);
  if ([...first.values()].includes(undefined)) return undefined;
  await new Promise((resolve) => setTimeout(resolve, KILL_MILLIS));
  const second = await statesOf(stack, clusters);
  return [...second].every(([key, state]) => first.get(key) === state) ? second : undefined;
}
