import { pause } from "../../src/ports/concurrency/pause.ts";
import { DEFAULT_RETENTION_DAYS } from "../../src/ports/deployment/retention.ts";
import { createDynamoClient } from "../../src/adapters/dynamodb/dynamo-client.ts";
import { createDynamoProjections } from "../../src/adapters/dynamodb/jobs/dynamo-projections.ts";
import type { ComparePorts } from "../../src/upkeep/replay/compare-projections.ts";
import { deployedMeta } from "./deployed-meta.ts";
import { readDeployment } from "./deployment.ts";

/** Longer than a projector usually needs for a new segment. */
const PAUSE_MILLIS = 5_000;

/** Both projections of a deployment on AWS, read with the caller's credentials. */
export async function deployedProjections(stage: string): Promise<ComparePorts> {
  const { output } = await readDeployment(stage);
  const tables = { A: output("JobsTableA"), B: output("JobsTableB") };
  const runTables = { A: output("RunsTableA"), B: output("RunsTableB") };
  const retentionDays = DEFAULT_RETENTION_DAYS;
  return {
    pause: () => pause(PAUSE_MILLIS),
    meta: deployedMeta(output("MetaTable")),
    projections: createDynamoProjections(createDynamoClient(), { tables, runTables, retentionDays }),
  };
}
