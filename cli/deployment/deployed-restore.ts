import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { isOutage } from "../../src/adapters/aws/is-outage.ts";
import { exponentialBackOff } from "../../src/ports/concurrency/back-off.ts";
import { retryWith } from "../../src/ports/concurrency/retry.ts";
import { ARCHIVE_FOLDER } from "../../src/ports/deployment/archive-location.ts";
import { DEFAULT_RETENTION_DAYS } from "../../src/ports/deployment/retention.ts";
import { createDynamoClient } from "../../src/adapters/dynamodb/dynamo-client.ts";
import { createDynamoLog } from "../../src/adapters/dynamodb/log/dynamo-log.ts";
import { scanLog } from "../../src/adapters/dynamodb/log/scan-log.ts";
import { FunctionFailedError, invokeFunction } from "../../src/adapters/lambda/invoke-function.ts";
import { createLambdaClient } from "../../src/adapters/lambda/lambda-client.ts";
import type { LogItem } from "../../src/ports/log.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import type { RestoreOutcome, RestoreRequest, RestoreResponse } from "../../src/upkeep/restore/restore-request.ts";
import type { RestorePorts } from "../../src/upkeep/restore/restore-segments.ts";
import { errorMessage } from "../../src/job/text/error-message.ts";
import { ClosedHours } from "../../src/upkeep/restore/closed-hours.ts";
import { openArchive } from "../archive/open-archive.ts";
import { deployedMeta } from "./deployed-meta.ts";
import { readDeployment } from "./deployment.ts";

export interface DeployedRestore {
  readonly ports: RestorePorts;
  readonly meta: MetaStore;
  /** Where the deployment archives its log; `undefined` without an archive. */
  readonly archive: string | undefined;
  /** Every segment of another log table. */
  readonly readTable: (table: string) => AsyncIterable<readonly LogItem[]>;
}

/** Throttled invocations, and those whose function was killed, are sent again: a repetition changes nothing. */
const RETRY = retryWith(8, exponentialBackOff({ firstMillis: 200, maxMillis: 20_000, jitter: "half" }));

/** The log of a deployment, to be restored with the caller's credentials. Only the ingest function appends to it. */
export async function openDeployedRestore(stage: string): Promise<DeployedRestore> {
  const { output, optional } = await readDeployment(stage);
  const client = createDynamoClient();
  const bucket = optional("ArchiveBucket");
  return {
    ports: {
      log: createDynamoLog(client, { table: output("LogTable"), retentionDays: DEFAULT_RETENTION_DAYS }),
      append: appendThrough(output("IngestFunction")),
      retry: RETRY,
    },
    meta: deployedMeta(output("MetaTable")),
    archive: bucket && `s3://${bucket}/${ARCHIVE_FOLDER}`,
    readTable: (table) => scanLog(client, table),
  };
}

/** The ports with the archive of the deployment, unless it has none. */
export async function withClosedHours({ ports, meta, archive }: DeployedRestore): Promise<RestorePorts> {
  if (archive === undefined) return ports;
  const stage = { log: ports.log, meta, archive: await openArchive(archive), now: Date.now };
  return { ...ports, closed: new ClosedHours(stage) };
}

function appendThrough(name: string): RestorePorts["append"] {
  const lambda = createLambdaClient();
  return async (restore) => {
    try {
      return outcomesIn(name, await invokeFunction(lambda, name, { restore } satisfies RestoreRequest));
    } catch (cause) {
      if (!isOutage(cause) && !(cause instanceof FunctionFailedError)) throw cause;
      const failed: RestoreOutcome = { outcome: "failed", reason: errorMessage(cause) };
      return restore.map(() => failed);
    }
  };
}

function outcomesIn(name: string, answer: unknown): RestoreResponse["outcomes"] {
  if (typeof answer === "object" && answer !== null && "outcomes" in answer && Array.isArray(answer.outcomes)) {
    return (answer as RestoreResponse).outcomes;
  }
  throw new CommandFailure(2, `Function ${name} does not support restore. Deploy this release, then try again.`);
}
