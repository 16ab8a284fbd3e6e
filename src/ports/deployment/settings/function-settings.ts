import * as v from "valibot";
import { derived, type Environment, readSettings, type Settings, variable, type VariablesOf } from "./descriptor.ts";
import { PAGE_CLIENT } from "./page-client.ts";
import { OPEN_MODE, READERS } from "./reader-settings.ts";
import {
  bucket,
  clustersOfLogGroups,
  oneOf,
  packShards,
  positive,
  projectorVersions,
  queueUrl,
  queueUrls,
  stageName,
  table,
  url,
} from "./variables.ts";

/** The dimension of a function's metrics, and a field of its log lines. */
const STAGE = { stage: variable("OUTLIVE_STAGE", stageName) };

const RECORDS = {
  meta: variable("OUTLIVE_META_TABLE", table("meta")),
  retentionDays: variable(
    "OUTLIVE_RETENTION_DAYS",
    positive("the number of days for which a Job is kept after it ended"),
  ),
};
const PROJECTION = {
  ...RECORDS,
  jobs: {
    A: variable("OUTLIVE_JOBS_TABLE_A", table("first Jobs")),
    B: variable("OUTLIVE_JOBS_TABLE_B", table("second Jobs")),
  },
  runs: {
    A: variable("OUTLIVE_RUNS_TABLE_A", table("first runs")),
    B: variable("OUTLIVE_RUNS_TABLE_B", table("second runs")),
  },
};
const LOG = { ...RECORDS, log: variable("OUTLIVE_LOG_TABLE", table("log")) };
const ALL_TABLES = { ...LOG, ...PROJECTION };
/** Where the spans of traces are read. Without a receiver of traces, the function reads none of them. */
const TRACED_IF_ANY = derived(
  {
    log: variable("OUTLIVE_LOG_TABLE", v.optional(table("log"))),
    jobsA: variable("OUTLIVE_JOBS_TABLE_A", v.optional(table("first Jobs"))),
    jobsB: variable("OUTLIVE_JOBS_TABLE_B", v.optional(table("second Jobs"))),
    runsA: variable("OUTLIVE_RUNS_TABLE_A", v.optional(table("first runs"))),
    runsB: variable("OUTLIVE_RUNS_TABLE_B", v.optional(table("second runs"))),
  },
  ({ log, jobsA, jobsB, runsA, runsB }) => {
    const isComplete = jobsA !== undefined && jobsB !== undefined && runsA !== undefined && runsB !== undefined;
    return log !== undefined && isComplete
      ? { log, jobs: { A: jobsA, B: jobsB }, runs: { A: runsA, B: runsB } }
      : undefined;
  },
);
const INGEST_TABLES = {
  ...LOG,
  /** For how many days an archived log is kept. Any other log is kept 30 days longer than Jobs. */
  logDays: variable("OUTLIVE_LOG_DAYS", v.optional(positive("the number of days for which the log is kept"))),
};

/** An emulator's address (the SDK's `AWS_ENDPOINT_URL`). The stack does not set it. */
const EMULATOR = variable("AWS_ENDPOINT_URL", v.optional(url("an emulator of AWS")));
const EMULATOR_OF_S3 = derived(
  { ofAll: EMULATOR, ofS3: variable("AWS_ENDPOINT_URL_S3", v.optional(url("an emulator of S3"))) },
  ({ ofAll, ofS3 = ofAll }) => ofS3,
);
const ARCHIVE_BUCKET = bucket("the archive");
const ARCHIVE = { bucket: variable("OUTLIVE_ARCHIVE_BUCKET", ARCHIVE_BUCKET), endpoint: EMULATOR_OF_S3 };
/** Where to read log items that have left the log. Without it, the log has everything. */
const ARCHIVE_IF_ANY = derived(
  { bucket: variable("OUTLIVE_ARCHIVE_BUCKET", v.optional(ARCHIVE_BUCKET)), endpoint: EMULATOR_OF_S3 },
  ({ bucket: name, endpoint }): ArchivePlace | undefined =>
    name === undefined ? undefined : { bucket: name, endpoint },
);
/** A function that reads the whole log. */
const WHOLE_LOG = { ...STAGE, tables: ALL_TABLES, archive: ARCHIVE_IF_ANY };

const REFOLD_QUEUE = variable("OUTLIVE_REFOLD_QUEUE_URL", queueUrl("refold"));
const SEGMENT_QUEUE = variable("OUTLIVE_SEGMENT_QUEUE_URL", queueUrl("segment"));
/** `trial` for the projector of a release that is tried beside the one in use. */
const PROJECTOR = variable("OUTLIVE_PROJECTOR", v.optional(oneOf("live", "trial"), "live"));
/** The content of a file of log links: where the logs of Pods can be read. */
const LOG_LINKS = variable("OUTLIVE_LOG_LINK_TEMPLATES", v.optional(v.string()));
/** The rule file beside the bundle, and the queue of each receiver. */
const NOTIFICATIONS = {
  rulesFile: variable("OUTLIVE_RULES_FILE", v.string("is not set. Set it to the path of the rule file.")),
  queueUrls: variable("OUTLIVE_DELIVERY_QUEUES", queueUrls),
};

/** The settings of each function: the stack sets their variables (lib/), and the function reads them. */
export const FUNCTION_SETTINGS = {
  ingest: {
    ...STAGE,
    tables: INGEST_TABLES,
    /** The queue whose messages wait longer after each failure. */
    queueUrl: SEGMENT_QUEUE,
    /** For messages that are too large for a record. */
    setAsideBucket: variable("OUTLIVE_SET_ASIDE_BUCKET", bucket("messages that are too large for a record")),
    /** For S3 only, because its host name on AWS contains the bucket. */
    endpoint: EMULATOR,
    /** The number of shards of the log among which segments are distributed. */
    packShards: variable("OUTLIVE_PACK_SHARDS", packShards),
    /** Whether any sender may send for any cluster. */
    open: OPEN_MODE,
    /** The sender of deletions in audit logs: the unique id of its function's role, and the clusters of its groups. */
    auditLogs: derived(
      {
        principalId: variable("OUTLIVE_AUDIT_LOGS_PRINCIPAL", v.optional(v.string())),
        groups: variable("OUTLIVE_AUDIT_LOG_GROUPS", v.optional(clustersOfLogGroups, "{}")),
      },
      ({ principalId, groups }) =>
        principalId === undefined ? undefined : { principalId, clusters: new Set(groups.values()) },
    ),
  },
  "audit-logs": {
    ...STAGE,
    /** The cluster of each log group. */
    clusters: variable("OUTLIVE_AUDIT_LOG_GROUPS", clustersOfLogGroups),
    queueUrl: SEGMENT_QUEUE,
  },
  project: { ...STAGE, tables: PROJECTION, refoldQueueUrl: REFOLD_QUEUE, projector: PROJECTOR },
  refold: { ...WHOLE_LOG, projector: PROJECTOR },
  audit: {
    ...WHOLE_LOG,
    refoldQueueUrl: REFOLD_QUEUE,
    /** The queue of log items that the trial's projector has to project again. */
    trialRefoldQueueUrl: variable("OUTLIVE_TRIAL_REFOLD_QUEUE_URL", v.optional(queueUrl("refold"))),
  },
  replay: {
    ...WHOLE_LOG,
    /** Where partial states are kept while a replay runs. */
    partialStates: derived(
      {
        bucket: variable("OUTLIVE_REPLAY_BUCKET", bucket("the partial states of a replay")),
        endpoint: EMULATOR_OF_S3,
      },
      (place): ArchivePlace => place,
    ),
    /** The projectors of the earlier release, which a trial keeps. */
    kept: variable("OUTLIVE_KEPT_PROJECTORS", v.optional(projectorVersions)),
  },
  sweep: { ...STAGE, tables: PROJECTION },
  query: {
    ...WHOLE_LOG,
    readers: READERS,
    logLinks: LOG_LINKS,
  },
  acknowledge: { ...STAGE, tables: ALL_TABLES, readers: READERS },
  archive: { ...STAGE, tables: ALL_TABLES, archive: ARCHIVE },
  retain: { ...STAGE, tables: ALL_TABLES },
  notify: { ...STAGE, tables: ALL_TABLES, ...NOTIFICATIONS, logLinks: LOG_LINKS },
  deliver: {
    ...STAGE,
    tables: RECORDS,
    traced: TRACED_IF_ANY,
    ...NOTIFICATIONS,
    /** The secret with the variables that the rule file names. */
    secret: variable("OUTLIVE_RULES_SECRET", v.optional(v.string())),
  },
  count: {
    ...STAGE,
    tables: PROJECTION,
    metrics: {
      maxSeries: variable("OUTLIVE_METRICS_MAX_SERIES", positive("the number of series of Jobs in the metrics")),
      by: variable("OUTLIVE_JOB_METRICS", oneOf("none", "stage", "cluster")),
    },
  },
  page: { ...STAGE, readers: READERS, client: PAGE_CLIENT },
};

/** A Lambda function of the stack; functions/NAME.ts is its entry. */
export type FunctionName = keyof typeof FUNCTION_SETTINGS;

/** What a function reads. */
export type FunctionSettings<Name extends FunctionName> = Settings<(typeof FUNCTION_SETTINGS)[Name]>;
/** What the stack sets for a function, besides its stage. An emulator sets what else it reads. */
export type FunctionEnvironment<Name extends FunctionName> = Omit<
  VariablesOf<(typeof FUNCTION_SETTINGS)[Name]>,
  "OUTLIVE_STAGE" | `AWS_${string}`
>;

export type LogTables = Settings<typeof INGEST_TABLES>;
export type ProjectionTables = Settings<typeof PROJECTION>;
export type AllTables = Settings<typeof ALL_TABLES>;
export type WholeLogSettings = Pick<Settings<typeof WHOLE_LOG>, "tables" | "archive">;
export type ArchivePlace = Settings<typeof ARCHIVE>;

/** Throws {@link ConfigurationError} where a variable is unset or invalid. */
export function readFunctionSettings<Name extends FunctionName>(
  name: Name,
  environment: Environment,
): FunctionSettings<Name> {
  return readSettings(FUNCTION_SETTINGS[name], environment);
}
