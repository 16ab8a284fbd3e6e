import { createDynamoLog } from "../../src/adapters/dynamodb/log/dynamo-log.ts";
import { createDynamoMetaStore } from "../../src/adapters/dynamodb/dynamo-meta-store.ts";
import { createDynamoProjections } from "../../src/adapters/dynamodb/jobs/dynamo-projections.ts";
import { JOBS_SCHEMA, LOG_SCHEMA, META_SCHEMA, RUNS_SCHEMA } from "../../src/ports/deployment/tables.ts";
import type { Instant } from "../../src/job/model/instant.ts";
import type { Log } from "../../src/ports/log.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import type { Projections } from "../../src/ports/projections.ts";
import type { DynamoLocal } from "../../test/support/aws/dynamodb-local.ts";
import { LocalStream } from "../../test/support/aws/local-stream.ts";
import { Meter } from "./meter.ts";

/** The metered tables of one deployment. */
export interface MeteredTables {
  readonly meter: Meter;
  readonly names: { readonly log: string; readonly meta: string; readonly jobs: string; readonly runs: string };
  readonly log: Log;
  readonly meta: MetaStore;
  readonly projections: Projections;
  /** The writes of Jobs. Reading it takes no units of the table. */
  readonly jobStream: LocalStream;
  /** The same projections, written by a function whose clock shows this instant. */
  readonly projectionsAt: (now: Instant) => Projections;
}

/** DynamoDB Local answers 500 ("too long waiting for a lock") where the machine is busy. A repetition counts once. */
const ATTEMPTS = 20;

export async function createTables(dynamo: DynamoLocal): Promise<MeteredTables> {
  const meter = new Meter();
  const client = meter.attach(dynamo.client({ maxAttempts: ATTEMPTS }));
  const log = await dynamo.createTable(LOG_SCHEMA);
  const meta = await dynamo.createTable(META_SCHEMA);
  const jobs = await dynamo.createTable(JOBS_SCHEMA);
  const runs = await dynamo.createTable(RUNS_SCHEMA);
  meter.know(log, LOG_SCHEMA);
  meter.know(meta, META_SCHEMA);
  meter.know(jobs, JOBS_SCHEMA);
  meter.know(runs, RUNS_SCHEMA);
  const retentionDays = 400;
  const projectionsAt = (now: () => Instant) =>
    createDynamoProjections(client, {
      tables: { A: jobs, B: jobs },
      runTables: { A: runs, B: runs },
      retentionDays,
      now,
    });
  return {
    meter,
    names: { log, meta, jobs, runs },
    jobStream: new LocalStream(client, dynamo.endpoint, jobs),
    log: createDynamoLog(client, { table: log, retentionDays }),
    meta: createDynamoMetaStore(client, { table: meta, retentionDays }),
    projections: projectionsAt(Date.now),
    projectionsAt: (now) => projectionsAt(() => now),
  };
}
