import * as v from "valibot";
import { type Environment, readVariables } from "./read-variables.ts";
import { readerSettings } from "./reader-settings.ts";
import { variablesOf } from "./function-variables.ts";
import { url } from "./variables.ts";

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
}

export type AllTables = ProjectionTables & LogTables;

export interface IngestSettings {
  readonly stage: string;
  readonly tables: LogTables;
  /** For messages that are too large for a record. @default only their size and the reason are kept */
  readonly setAsideBucket?: string;
  /** The queue whose messages wait longer after each failure. @default they wait for its visibility timeout */
  readonly queueUrl?: string;
  /**
   * An emulator's address (the SDK's `AWS_ENDPOINT_URL`). Only S3 needs it: AWS has the bucket in the host name.
   * @default AWS
   */
  readonly endpoint?: string;
  /** Whether any sender may send for any cluster. */
  readonly open: boolean;
  /** Among how many shards of the log segments are distributed. */
  readonly packShards: number;
}

const INGEST = v.object({ ...variablesOf("ingest").entries, AWS_ENDPOINT_URL: v.optional(url("an emulator of AWS")) });

export function readIngestSettings(environment: Environment): IngestSettings {
  const read = readVariables(environment, INGEST);
  return {
    stage: read.OUTLIVE_STAGE,
    tables: logTables(read),
    ...(read.OUTLIVE_SET_ASIDE_BUCKET !== undefined && { setAsideBucket: read.OUTLIVE_SET_ASIDE_BUCKET }),
    ...(read.OUTLIVE_SEGMENT_QUEUE_URL !== undefined && { queueUrl: read.OUTLIVE_SEGMENT_QUEUE_URL }),
    ...(read.AWS_ENDPOINT_URL !== undefined && { endpoint: read.AWS_ENDPOINT_URL }),
    open: read.OUTLIVE_OPEN_MODE,
    packShards: read.OUTLIVE_PACK_SHARDS,
  };
}

export function readProjectSettings(environment: Environment) {
  const read = readVariables(environment, variablesOf("project"));
  const { OUTLIVE_STAGE: stage, OUTLIVE_REFOLD_QUEUE_URL: refoldQueueUrl } = read;
  return { stage, tables: projectionTables(read), refoldQueueUrl };
}

export function readRefoldSettings(environment: Environment) {
  const read = readVariables(environment, variablesOf("refold"));
  return { stage: read.OUTLIVE_STAGE, tables: allTables(read) };
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

export interface ReplaySettings {
  readonly stage: string;
  readonly tables: AllTables;
  /** Where the function sends itself a message to continue. @default its caller invokes it again */
  readonly queueUrl?: string;
}

export function readReplaySettings(environment: Environment): ReplaySettings {
  const read = readVariables(environment, variablesOf("replay"));
  const { OUTLIVE_STAGE: stage, OUTLIVE_REPLAY_QUEUE_URL: queueUrl } = read;
  return { stage, tables: allTables(read), ...(queueUrl !== undefined && { queueUrl }) };
}

export function readAuditSettings(environment: Environment) {
  const read = readVariables(environment, variablesOf("audit"));
  const { OUTLIVE_STAGE: stage, OUTLIVE_REFOLD_QUEUE_URL: refoldQueueUrl } = read;
  return { stage, tables: allTables(read), refoldQueueUrl };
}

export interface ArchiveSettings {
  readonly stage: string;
  readonly tables: AllTables;
  readonly bucket: string;
  /** An emulator's address (the SDK's `AWS_ENDPOINT_URL_S3`). @default AWS */
  readonly endpoint?: string;
}

const ARCHIVE = v.object({
  ...variablesOf("archive").entries,
  AWS_ENDPOINT_URL: v.optional(url("an emulator of AWS")),
  AWS_ENDPOINT_URL_S3: v.optional(url("an emulator of S3")),
});

export function readArchiveSettings(environment: Environment): ArchiveSettings {
  const read = readVariables(environment, ARCHIVE);
  const { OUTLIVE_STAGE: stage, OUTLIVE_ARCHIVE_BUCKET: bucket } = read;
  const { AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_S3: endpoint = AWS_ENDPOINT_URL } = read;
  return { stage, tables: allTables(read), bucket, ...(endpoint !== undefined && { endpoint }) };
}

export function readSweepSettings(environment: Environment) {
  const read = readVariables(environment, variablesOf("sweep"));
  return { stage: read.OUTLIVE_STAGE, tables: projectionTables(read) };
}

const COUNT = v.object({ ...variablesOf("count").entries, AWS_ENDPOINT_URL: v.optional(url("an emulator of AWS")) });

export interface CountSettings {
  readonly stage: string;
  readonly tables: ProjectionTables;
  /** The ARNs of the streams of both tables of Jobs. */
  readonly streams: { readonly A: string; readonly B: string };
  /** An emulator's address (the SDK's `AWS_ENDPOINT_URL`): the streams are read without the SDK. @default AWS */
  readonly endpoint?: string;
}

export function readCountSettings(environment: Environment): CountSettings {
  const read = readVariables(environment, COUNT);
  return {
    stage: read.OUTLIVE_STAGE,
    tables: projectionTables(read),
    streams: { A: read.OUTLIVE_JOBS_STREAM_A, B: read.OUTLIVE_JOBS_STREAM_B },
    ...(read.AWS_ENDPOINT_URL !== undefined && { endpoint: read.AWS_ENDPOINT_URL }),
  };
}

export function readQuerySettings(environment: Environment) {
  const read = readVariables(environment, variablesOf("query"));
  return {
    stage: read.OUTLIVE_STAGE,
    tables: allTables(read),
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
