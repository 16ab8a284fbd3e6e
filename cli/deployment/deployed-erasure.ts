import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { erasableArchive } from "../../src/archive/write/erase-archive.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { awaitCounted } from "../../src/count/await-counted.ts";
import { forgetBatches } from "../../src/count/forget-batches.ts";
import { ARCHIVE_FOLDER } from "../../src/ports/deployment/archive-location.ts";
import type { OptionalOutput } from "../../src/ports/deployment/outputs.ts";
import { DEFAULT_RETENTION_DAYS } from "../../src/ports/deployment/retention.ts";
import { createDynamoClient } from "../../src/adapters/dynamodb/dynamo-client.ts";
import { createDynamoMetaStore } from "../../src/adapters/dynamodb/dynamo-meta-store.ts";
import { createDynamoEraser } from "../../src/adapters/dynamodb/erase/dynamo-eraser.ts";
import { createDynamoProjections } from "../../src/adapters/dynamodb/jobs/dynamo-projections.ts";
import { createDynamoLog } from "../../src/adapters/dynamodb/log/dynamo-log.ts";
import { listPrincipals } from "../../src/log/principals.ts";
import type { ErasurePorts, ErasureStep } from "../../src/log/erasure/command/erase-data.ts";
import { createMetricEraser } from "../../src/count/metrics/sums/metric-eraser.ts";
import { createNoticeEraser } from "../../src/notify/outbox/notice-eraser.ts";
import { HOLD_SOURCES } from "../../src/host/optional/hold-sources.ts";
import type { Eraser } from "../../src/ports/erasing/eraser.ts";
import type { ErasableMessages } from "../../src/ports/large-messages.ts";
import type { ObjectStore } from "../../src/ports/object-store.ts";
import { erasableViews } from "../../src/projection/erasable-views.ts";
import { processEnvironment } from "../../src/host/runtime/process-environment.ts";
import { createS3Client } from "../../src/adapters/s3/s3-client.ts";
import { createS3LargeMessages } from "../../src/adapters/s3/s3-large-messages.ts";
import { createS3Objects } from "../../src/adapters/s3/s3-objects.ts";
import { queueDepth } from "../../src/adapters/sqs/queue-depth.ts";
import { createSqsClient } from "../../src/adapters/sqs/sqs-client.ts";
import { createSsmClient } from "../../src/adapters/ssm/ssm-client.ts";
import { createSsmRegistrations } from "../../src/adapters/ssm/ssm-registrations.ts";
import { assumeRole, callerArn, type SessionCredentials } from "../../src/adapters/sts/security-token.ts";
import type { ErasedStage } from "../erase/erase-flags.ts";
import { type Deployment, readDeployment } from "./deployment.ts";

export interface DeployedErasureOptions {
  readonly onStep: (step: ErasureStep) => void;
  /** How long functions may take that began before the erasure was recorded. @default 310 s */
  readonly waitSeconds?: number | undefined;
}

/** Longer than the timeout of the projector: no function writes the log or states for longer (lib/projection.ts). */
const LONGEST_WRITE_SECONDS = 310;
/** The interval between checks of the count function, which runs once a minute. */
const COUNT_MILLIS = 5_000;

/**
 * The stores of a deployment, opened with its role for erasures. The role exists only while the setting `erasure` is
 * deployed. The caller needs its own permissions to read the stage and to assume the role.
 */
export async function openDeployedErasure(
  stage: string,
  { onStep, waitSeconds = LONGEST_WRITE_SECONDS }: DeployedErasureOptions,
): Promise<ErasedStage> {
  const deployment = await readDeployment(stage);
  const role = deployment.optional("ErasureRole");
  if (role === undefined) throw noRole(stage);
  const { by, credentials } = await becomeEraser(role);
  const stores = openStores(deployment, credentials);
  return {
    name: `Stage ${stage}`,
    by,
    ports: {
      ...stores,
      onStep,
      newId: randomUUID,
      now: Date.now,
      settle: () => wait(waitSeconds * 1_000),
    },
  };
}

function noRole(stage: string): CommandFailure {
  return new CommandFailure(
    2,
    `Stage ${stage} has no role that may erase. Deploy it with -c erasure=true, erase, and deploy it without the ` +
      "setting again.",
  );
}

type GetCredentials = () => Promise<SessionCredentials>;

/** The caller, and credentials of the role. The SDK asks for others before they expire. */
async function becomeEraser(role: string): Promise<{ readonly by: string; readonly credentials: GetCredentials }> {
  const { config } = createDynamoClient();
  const { AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_STS = AWS_ENDPOINT_URL } = processEnvironment();
  const sts = {
    region: () => config.region(),
    credentials: () => config.credentials(),
    endpoint: AWS_ENDPOINT_URL_STS,
  };
  const by = await callerArn(sts);
  const session = by.slice(by.lastIndexOf("/") + 1);
  return { by, credentials: () => assumeRole(sts, { role, session }) };
}

type Stores = Omit<ErasurePorts, "onStep" | "newId" | "now" | "settle">;

function openStores({ stage, output, optional }: Deployment, credentials: GetCredentials): Stores {
  const client = createDynamoClient({ credentials });
  const retentionDays = DEFAULT_RETENTION_DAYS;
  const jobs = { A: output("JobsTableA"), B: output("JobsTableB") };
  const runs = { A: output("RunsTableA"), B: output("RunsTableB") };
  const tables = { log: output("LogTable"), meta: output("MetaTable"), jobs, runs };
  const meta = createDynamoMetaStore(client, { table: tables.meta, retentionDays });
  const projections = createDynamoProjections(client, { tables: jobs, runTables: runs, retentionDays });
  const buckets = bucketsOf(optional, credentials);
  const sqs = createSqsClient({ credentials });
  const { archive, largeMessages } = buckets;
  return {
    log: createDynamoLog(client, { table: tables.log, retentionDays }),
    meta,
    projections,
    eraser: eraserOf(
      createDynamoEraser(client, tables),
      { meta, projections },
      {
        disposable: buckets.disposable,
        deadLetters: () => queueDepth(sqs, output("DlqUrl")),
      },
    ),
    holds: HOLD_SOURCES,
    views: erasableViews,
    archive: archive && erasableArchive(archive),
    senders: () => listPrincipals(createSsmRegistrations(createSsmClient(), stage)),
    ...(largeMessages && { largeMessages }),
  };
}

interface Buckets {
  readonly archive: ObjectStore | undefined;
  readonly largeMessages: ErasableMessages | undefined;
  /** Copies of what other stores have: stream records that Lambda gave up on, results of queries, partial states. */
  readonly disposable: readonly ObjectStore[];
}

function bucketsOf(optional: (name: OptionalOutput) => string | undefined, credentials: GetCredentials): Buckets {
  const { AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_S3: endpoint = AWS_ENDPOINT_URL } = processEnvironment();
  const client = createS3Client({ endpoint, credentials });
  const open = (bucket: string | undefined, prefix?: string) =>
    bucket === undefined ? undefined : createS3Objects(client, { bucket, ...(prefix !== undefined && { prefix }) });
  const setAside = optional("SetAsideBucket");
  const copies = ["GivenUpBucket", "QueryResultsBucket", "ReplayBucket"] as const;
  const others = copies.map((name) => open(optional(name)));
  return {
    archive: open(optional("ArchiveBucket"), ARCHIVE_FOLDER),
    largeMessages:
      setAside === undefined
        ? undefined
        : {
            ...createS3LargeMessages({
              bucket: setAside,
              region: () => client.config.region(),
              credentials,
              endpoint,
            }),
            remove: async (name) => open(setAside)?.erase?.(name),
          },
    disposable: others.filter((store) => store !== undefined),
  };
}

interface Elsewhere {
  readonly disposable: readonly ObjectStore[];
  /** The number of messages in the dead-letter queue. */
  readonly deadLetters: () => Promise<number>;
}

function eraserOf(
  tables: ReturnType<typeof createDynamoEraser>,
  stores: Pick<Stores, "meta" | "projections">,
  { disposable, deadLetters }: Elsewhere,
): Eraser {
  const { meta } = stores;
  return {
    ...tables,
    notices: createNoticeEraser({ meta, remove: (key) => tables.removeRecord("notice", key) }),
    metrics: createMetricEraser({
      ...stores,
      settle: async () => {
        await awaitCounted({ meta, now: Date.now, pause: () => wait(COUNT_MILLIS) }, Date.now());
        await forgetBatches({ meta, remove: (key) => tables.removeRecord("countBatch", key) });
      },
    }),
    purge: async () => {
      for (const store of disposable) for await (const { key } of store.list("")) await store.erase?.(key);
      const left = await deadLetters();
      if (left > 0) throw deadLettersLeft(left);
    },
  };
}

/** The messages cannot be searched without receiving them, and SQS keeps them for up to 14 days. */
function deadLettersLeft(messages: number): CommandFailure {
  return new CommandFailure(
    1,
    `The erasure is not finished: the dead-letter queue has ${messages} messages, which may have the data. Log ` +
      'them with "outlive redrive": what is erased is left out. Purge the queue if they cannot be logged. Then ' +
      "repeat this command: it finishes the erasure.",
  );
}
