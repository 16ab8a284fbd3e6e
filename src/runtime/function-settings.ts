import * as v from "valibot";
import type { ProjectorVersions } from "../deployment/projector-versions.ts";
import { type Environment, readVariables } from "./read-variables.ts";
import { readerSettings } from "./reader-settings.ts";
import { variablesOf } from "./function-variables.ts";
import { bucket, queueUrl, url } from "./variables.ts";

// Each function throws ConfigurationError where a variable is unset or invalid.

export interface ProjectionTables {
  readonly jobs: { readonly A: string; readonly B: string };
  readonly meta: string;
  readonly retentionDays: number;
}

export interface LogTables {
  readonly log: string;
  readonly meta: string;
  readonly retentionDays: number;
  /** For how many days packs are kept. @default 30 days more than Jobs */
  readonly logDays?: number;
}

export type AllTables = ProjectionTables & LogTables;

/** The bucket of the archive. */
export interface ArchivePlace {
  readonly bucket: string;
  /** An emulator's address (the SDK's `AWS_ENDPOINT_URL_S3`). @default AWS */
  readonly endpoint?: string;
}

/** The settings of a function that reads the whole log. */
export interface WholeLogSettings {
  readonly tables: AllTables;
  /** Where to read log items that have left the log. @default the log has everything */
  readonly archive?: ArchivePlace;
}

const EMULATOR_OF_S3 = {
  AWS_ENDPOINT_URL: v.optional(url("an emulator of AWS")),
  AWS_ENDPOINT_URL_S3: v.optional(url("an emulator of S3")),
};

export interface IngestSettings {
  readonly stage: string;
  readonly tables: LogTables;
  /** For messages that are too large for a record. @default only their size and the reason are kept */
  readonly setAsideBucket?: string;
  /** The queue whose messages wait longer after each failure. @default they wait for its visibility timeout */
  readonly queueUrl?: string;
  /**
   * An emulator's address (the SDK's `AWS_ENDPOINT_URL`), for S3 only, because its host name on AWS contains the
   * bucket. @default AWS
   */
  readonly endpoint?: string;
  /** Whether any sender may send for any cluster. */
  readonly open: boolean;
  /** The function that reads audit logs: the unique id of its role, and the clusters of its log groups. */
  readonly auditLogs?: { readonly principalId: string; readonly clusters: ReadonlySet<string> };
  /** The number of shards of the log among which segments are distributed. */
  readonly packShards: number;
}

const INGEST = v.object({ ...variablesOf("ingest").entries, AWS_ENDPOINT_URL: v.optional(url("an emulator of AWS")) });

export function readIngestSettings(environment: Environment): IngestSettings {
  const read = readVariables(environment, INGEST);
  const { OUTLIVE_AUDIT_LOGS_PRINCIPAL: principalId } = read;
  return {
    stage: read.OUTLIVE_STAGE,
    tables: { ...logTables(read), ...(read.OUTLIVE_LOG_DAYS !== undefined && { logDays: read.OUTLIVE_LOG_DAYS }) },
    ...(read.OUTLIVE_SET_ASIDE_BUCKET !== undefined && { setAsideBucket: read.OUTLIVE_SET_ASIDE_BUCKET }),
    ...(read.OUTLIVE_SEGMENT_QUEUE_URL !== undefined && { queueUrl: read.OUTLIVE_SEGMENT_QUEUE_URL }),
    ...(read.AWS_ENDPOINT_URL !== undefined && { endpoint: read.AWS_ENDPOINT_URL }),
    open: read.OUTLIVE_OPEN_MODE,
    packShards: read.OUTLIVE_PACK_SHARDS,
    ...(principalId !== undefined && {
      auditLogs: { principalId, clusters: new Set(read.OUTLIVE_AUDIT_LOG_GROUPS.values()) },
    }),
  };
}

const AUDIT_LOGS = v.object({
  ...variablesOf("audit-logs").entries,
  OUTLIVE_SEGMENT_QUEUE_URL: queueUrl("segment"),
});

/** The cluster of each log group, and where facts are sent. */
export function readAuditLogsSettings(environment: Environment) {
  const read = readVariables(environment, AUDIT_LOGS);
  const { OUTLIVE_STAGE: stage, OUTLIVE_AUDIT_LOG_GROUPS: clusters, OUTLIVE_SEGMENT_QUEUE_URL } = read;
  return { stage, clusters, queueUrl: OUTLIVE_SEGMENT_QUEUE_URL };
}

export function readProjectSettings(environment: Environment) {
  const read = readVariables(environment, variablesOf("project"));
  const { OUTLIVE_STAGE: stage, OUTLIVE_REFOLD_QUEUE_URL: refoldQueueUrl, OUTLIVE_PROJECTOR: projector } = read;
  return { stage, tables: projectionTables(read), refoldQueueUrl, projector };
}

const REFOLD = v.object({ ...variablesOf("refold").entries, ...EMULATOR_OF_S3 });

export function readRefoldSettings(environment: Environment) {
  const read = readVariables(environment, REFOLD);
  const { OUTLIVE_STAGE: stage, OUTLIVE_PROJECTOR: projector } = read;
  return { stage, tables: allTables(read), ...archivePlaceOf(read), projector };
}

/** Where the rules are, and the queue of each receiver. */
export interface NotificationSettings {
  readonly rulesFile: string;
  readonly queueUrls: Readonly<Record<string, string>>;
}

export function readNotifySettings(environment: Environment) {
  const read = readVariables(environment, variablesOf("notify"));
  return {
    stage: read.OUTLIVE_STAGE,
    tables: allTables(read),
    ...notificationSettings(read),
    logLinks: read.OUTLIVE_LOG_LINK_TEMPLATES,
  };
}

export function readDeliverSettings(environment: Environment) {
  const read = readVariables(environment, variablesOf("deliver"));
  const { OUTLIVE_META_TABLE: meta, OUTLIVE_RETENTION_DAYS: retentionDays, OUTLIVE_RULES_SECRET: secret } = read;
  return {
    stage: read.OUTLIVE_STAGE,
    tables: { meta, retentionDays },
    ...notificationSettings(read),
    ...(secret !== undefined && { secret }),
  };
}

function notificationSettings(
  read: Pick<Read<"notify">, "OUTLIVE_RULES_FILE" | "OUTLIVE_DELIVERY_QUEUES">,
): NotificationSettings {
  return { rulesFile: read.OUTLIVE_RULES_FILE, queueUrls: read.OUTLIVE_DELIVERY_QUEUES };
}

const REPLAY = v.object({ ...variablesOf("replay").entries, ...EMULATOR_OF_S3 });

export interface ReplaySettings extends WholeLogSettings {
  readonly stage: string;
  /** The projectors of the earlier release, which the stage keeps. @default none */
  readonly kept?: ProjectorVersions;
}

export function readReplaySettings(environment: Environment): ReplaySettings {
  const read = readVariables(environment, REPLAY);
  const { OUTLIVE_STAGE: stage, OUTLIVE_KEPT_PROJECTORS: kept } = read;
  return { stage, tables: allTables(read), ...archivePlaceOf(read), ...(kept && { kept }) };
}

const AUDIT = v.object({ ...variablesOf("audit").entries, ...EMULATOR_OF_S3 });

export function readAuditSettings(environment: Environment) {
  const read = readVariables(environment, AUDIT);
  const { OUTLIVE_STAGE: stage, OUTLIVE_REFOLD_QUEUE_URL, OUTLIVE_TRIAL_REFOLD_QUEUE_URL: trial } = read;
  const refoldQueueUrls = [OUTLIVE_REFOLD_QUEUE_URL, ...(trial === undefined ? [] : [trial])];
  return { stage, tables: allTables(read), ...archivePlaceOf(read), refoldQueueUrls };
}

export interface ArchiveSettings extends ArchivePlace {
  readonly stage: string;
  readonly tables: AllTables;
}

const ARCHIVE = v.object({
  ...variablesOf("archive").entries,
  OUTLIVE_ARCHIVE_BUCKET: bucket("the archive"),
  ...EMULATOR_OF_S3,
});

export function readArchiveSettings(environment: Environment): ArchiveSettings {
  const read = readVariables(environment, ARCHIVE);
  const { OUTLIVE_STAGE: stage, OUTLIVE_ARCHIVE_BUCKET: name } = read;
  return { stage, tables: allTables(read), bucket: name, ...s3EndpointOf(read) };
}

export function readRetainSettings(environment: Environment) {
  const read = readVariables(environment, variablesOf("retain"));
  return { stage: read.OUTLIVE_STAGE, tables: allTables(read) };
}

export function readSweepSettings(environment: Environment) {
  const read = readVariables(environment, variablesOf("sweep"));
  return { stage: read.OUTLIVE_STAGE, tables: projectionTables(read) };
}

export interface CountSettings {
  readonly stage: string;
  readonly tables: ProjectionTables;
  readonly metrics: { readonly maxSeries: number; readonly by: "none" | "stage" | "cluster" };
}

export function readCountSettings(environment: Environment): CountSettings {
  const read = readVariables(environment, variablesOf("count"));
  return {
    stage: read.OUTLIVE_STAGE,
    tables: projectionTables(read),
    metrics: { maxSeries: read.OUTLIVE_METRICS_MAX_SERIES, by: read.OUTLIVE_JOB_METRICS },
  };
}

const QUERY = v.object({ ...variablesOf("query").entries, ...EMULATOR_OF_S3 });

export function readQuerySettings(environment: Environment) {
  const read = readVariables(environment, QUERY);
  return {
    stage: read.OUTLIVE_STAGE,
    tables: allTables(read),
    ...archivePlaceOf(read),
    readers: readerSettings(read),
    readerRequestsPerSecond: read.OUTLIVE_READER_REQUESTS_PER_SECOND,
    logLinks: read.OUTLIVE_LOG_LINK_TEMPLATES,
  };
}

type Read<Name extends "ingest" | "sweep" | "refold" | "notify"> = v.InferOutput<ReturnType<typeof variablesOf<Name>>>;
type LogVariables = Pick<Read<"ingest">, "OUTLIVE_LOG_TABLE" | "OUTLIVE_META_TABLE" | "OUTLIVE_RETENTION_DAYS">;
type ProjectionVariables = Omit<Read<"sweep">, "OUTLIVE_STAGE">;

function logTables(read: LogVariables): LogTables {
  return { log: read.OUTLIVE_LOG_TABLE, meta: read.OUTLIVE_META_TABLE, retentionDays: read.OUTLIVE_RETENTION_DAYS };
}

function projectionTables(read: ProjectionVariables): ProjectionTables {
  const jobs = { A: read.OUTLIVE_JOBS_TABLE_A, B: read.OUTLIVE_JOBS_TABLE_B };
  return { jobs, meta: read.OUTLIVE_META_TABLE, retentionDays: read.OUTLIVE_RETENTION_DAYS };
}

function allTables(read: LogVariables & ProjectionVariables): AllTables {
  return { ...logTables(read), ...projectionTables(read) };
}

function s3EndpointOf(read: {
  readonly AWS_ENDPOINT_URL?: string | undefined;
  readonly AWS_ENDPOINT_URL_S3?: string | undefined;
}): Pick<ArchivePlace, "endpoint"> {
  const { AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_S3: endpoint = AWS_ENDPOINT_URL } = read;
  return endpoint === undefined ? {} : { endpoint };
}

/** The archive of a stage that has one. */
function archivePlaceOf(
  read: { readonly OUTLIVE_ARCHIVE_BUCKET?: string | undefined } & Parameters<typeof s3EndpointOf>[0],
): { readonly archive?: ArchivePlace } {
  const { OUTLIVE_ARCHIVE_BUCKET: name } = read;
  return name === undefined ? {} : { archive: { bucket: name, ...s3EndpointOf(read) } };
}
