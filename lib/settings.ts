import { logLinksIn } from "../src/query/log-links/log-links.ts";
import { parseYaml } from "../src/ports/files/yaml-file.ts";
import { parseProjectorVersions, type ProjectorVersions } from "../src/ports/deployment/projector-versions.ts";
import { STAGE_NAME } from "../src/ports/deployment/parameter-names.ts";
import { DEFAULT_RETENTION_DAYS } from "../src/ports/deployment/retention.ts";
import { type BackupSettings, readBackup } from "./backup.ts";
import { type CapacitySettings, readCapacity } from "./capacity/capacity-settings.ts";
import {
  type Context,
  fileOf,
  flagOf,
  InvalidSettingsError,
  numberOf,
  problemsText,
  textOf,
} from "./context-values.ts";
import { type AccessLogs, accessLogsOf } from "./gateway/access-logs.ts";
import { type AuditLogSettings, auditLogsOf } from "./audit-logs/audit-log-settings.ts";
import { type ArchiveSettings, archiveOf } from "./archive/archive-settings.ts";
import { type MetricSettings, readMetrics } from "./monitoring/metric-settings.ts";
import { notificationsOf, type NotificationSettings } from "./notify/notification-settings.ts";
import { readersOf } from "./access/reader-settings.ts";
import type { Readers } from "./outlive-props.ts";
import { readStorage, type StorageSettings } from "./storage/storage-policy.ts";

/** The settings of a stage, checked and with all defaults. They follow from the properties of the construct. */
export interface Settings {
  /**
   * The stage's name, used in the name of the stack (`Outlive-<stage>`), its tags, the API's stage and the metrics'
   * dimension. 1 to 16 characters of `a-z0-9-`, the first a letter. @default "live"
   */
  readonly stage: string;
  /**
   * Whether deleting the stack deletes its data. Otherwise tables, buckets and keys are retained, tables have deletion
   * protection, and the log and the records can be restored to any second of the last 35 days. @default false
   */
  readonly disposable: boolean;
  /** For how many days a Job is kept after it ended; the log is kept 30 days longer. 1 to 3,650. @default 400 */
  readonly retentionDays: number;
  /**
   * Seconds for which segments are collected before they are projected together, 0 to 5. With 0, each is projected at
   * once, in up to ten lanes. Collecting saves half a write unit per segment of the same Job and delays answers
   * (docs/benchmarks.md). It uses one lane per shard, so it suits clusters with a moderate load. @default 0
   */
  readonly foldSeconds: number;
  /** Any principal that can send to the queue may send for any cluster, and any caller can read. @default false */
  readonly openMode: boolean;
  /**
   * Who can read, in exactly one way: `oidcIssuer=... oidcAudience=...`, `iamAccess=true`, or `-c
   * openMode=true`.
   */
  readonly readers: Readers;
  /** Concurrency of the functions and warm throughput of the tables. Each field is a context value of its own. */
  readonly capacity: CapacitySettings;
  /** The storage classes and backups of the tables. Each field is a context value of its own. */
  readonly storage: StorageSettings;
  /**
   * The request rate of the API's routes, for all callers together, with bursts of twice as many; beyond that it
   * answers 429. The page and the health routes, which need no authentication, have limits of their own. @default 50
   */
  readonly requestsPerSecond: number;
  /**
   * A web ACL of AWS WAF before the API, at a price (docs/deploy.md): requests of one address may take half of
   * `requestsPerSecond`, also those without a valid token. @default false
   */
  readonly webAcl: boolean;
  /**
   * Where API Gateway logs requests, also those that it refuses itself. `withRole` sets the role with which API
   * Gateway writes logs for the whole account and region, and leaves it there when the stack is deleted; `existingRole`
   * uses the one that the account has; `none` logs nothing. @default "withRole", on a disposable stage "none"
   */
  readonly accessLogs: AccessLogs;
  /**
   * Whether requests need an API key (`x-api-key`) of the usage plan. It is not authentication, and the page sends
   * none. @default false
   */
  readonly apiKey: boolean;
  /**
   * The content of a file of links to the logs of Pods (docs/log-links.md); the context value is the path of the file.
   * @default answers contain no links to logs
   */
  readonly logLinks?: string;
  /**
   * Whether ingest and query get a canary deployment: one invocation in ten for five minutes, with a rollback if
   * anything fails. A deployment then takes six minutes. @default true, on a disposable stage false
   */
  readonly canary: boolean;
  /**
   * Versions of the projectors (`PROJECT,REFOLD`, output `ProjectorVersions`) that stay in use while this deployment's
   * projectors are tried beside them (docs/operations.md, "A new projector"). @default the projectors of this
   * deployment
   */
  readonly keepProjectors?: ProjectorVersions;
  /**
   * Whether the stage has the role with which `outlive erase --stage` removes data. Deploy it for an erasure, and
   * without it afterwards. @default false
   */
  readonly erasure: boolean;
  /** Daily backups. Each field is a context value of its own. */
  readonly backup: BackupSettings;
  /** Whether closed hours of the log are archived to S3, and how. @default none */
  readonly archive?: ArchiveSettings;
  /**
   * Where audit logs are, by cluster: `auditLogGroups=prod-eu=/aws/eks/prod-eu/cluster`. @default deletions are
   * explained by what exporters send
   */
  readonly auditLogs?: AuditLogSettings;
  /** Who is notified, and of what: `rules=rules.yaml`, `rulesSecret=ARN`. @default no notifications */
  readonly notifications?: NotificationSettings;
  /**
   * How many series the metrics of Jobs have, and which of them CloudWatch gets. Each field is a context value of its
   * own.
   */
  readonly metrics: MetricSettings;
  /** Whether X-Ray traces requests through the API and all functions. It costs per trace. @default false */
  readonly tracing: boolean;
}

const STAGE = { pattern: STAGE_NAME, form: "1 to 16 of a-z, 0-9 and -, a letter first" };
/** The environment variables of a Lambda function have 4 KB together. */
const MAX_LOG_LINKS = 2_500;
const VERSIONS = {
  pattern: /^[1-9]\d{0,9},[1-9]\d{0,9}$/,
  form: "two versions such as 12,9 (output ProjectorVersions)",
};

export function readStage(context: Context): string {
  return textOf(context, "stage", STAGE) ?? "live";
}

/** Reads and validates all settings before the first construct is created. Throws {@link InvalidSettingsError}. */
export function readSettings(context: Context): Settings {
  const stage = readStage(context);
  const disposable = flagOf(context, "disposable");
  const openMode = flagOf(context, "openMode");
  if (openMode && !disposable) {
    throw new InvalidSettingsError(
      `Open mode would let anyone read and write the retained data of stage ${stage}. Remove openMode=true, or ` +
        "add disposable=true if it is a trial.",
    );
  }
  const retentionDays = numberOf(context, "retentionDays", { least: 1, most: 3650, default: DEFAULT_RETENTION_DAYS });
  return {
    stage,
    disposable,
    retentionDays,
    foldSeconds: numberOf(context, "foldSeconds", { least: 0, most: 5, default: 0 }),
    openMode,
    readers: readersOf(context),
    capacity: readCapacity(context),
    storage: readStorage(context, retentionDays),
    requestsPerSecond: numberOf(context, "requestsPerSecond", { least: 1, most: 10_000, default: 50 }),
    webAcl: flagOf(context, "webAcl"),
    accessLogs: accessLogsOf(context) ?? (disposable ? "none" : "withRole"),
    apiKey: flagOf(context, "apiKey"),
    canary: flagOf(context, "canary", !disposable),
    erasure: flagOf(context, "erasure"),
    backup: readBackup(context),
    metrics: readMetrics(context),
    tracing: flagOf(context, "tracing"),
    ...readParts(context, disposable),
  };
}

/** The content of the file as JSON. It is checked here: the functions would find it invalid only when they start. */
function logLinksOf(context: Context): string | undefined {
  const content = fileOf(context, "logLinks", MAX_LOG_LINKS);
  if (content === undefined) return undefined;
  const parsed = parseYaml(content);
  if ("problem" in parsed) throw new InvalidSettingsError(`Invalid file of log links. ${parsed.problem}`);
  const read = logLinksIn(parsed.value);
  if (read.outcome === "rejected") {
    throw new InvalidSettingsError(`Invalid file of log links. ${problemsText(read.problems)}`);
  }
  const document = JSON.stringify(parsed.value);
  if (Buffer.byteLength(document) <= MAX_LOG_LINKS) return document;
  throw new InvalidSettingsError(
    `The file of log links has more than ${MAX_LOG_LINKS} bytes as JSON. Shorten its names, or remove aliases.`,
  );
}

/** What a stage has only if it is configured. */
function readParts(context: Context, disposable: boolean) {
  const logLinks = logLinksOf(context);
  const archive = archiveOf(context, disposable);
  const notifications = notificationsOf(context);
  const auditLogs = auditLogsOf(context);
  const kept = textOf(context, "keepProjectors", VERSIONS);
  const keepProjectors = kept === undefined ? undefined : parseProjectorVersions(kept);
  return {
    ...(keepProjectors !== undefined && { keepProjectors }),
    ...(logLinks !== undefined && { logLinks }),
    ...(archive !== undefined && { archive }),
    ...(notifications !== undefined && { notifications }),
    ...(auditLogs !== undefined && { auditLogs }),
  };
}
