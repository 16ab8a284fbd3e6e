import { logLinksIn } from "../src/query/log-links/log-links.ts";
import { parseYaml } from "../src/ports/files/yaml-file.ts";
import { parseProjectorVersions, type ProjectorVersions } from "../src/ports/deployment/projector-versions.ts";
import { DEFAULT_RETENTION_DAYS } from "../src/ports/deployment/retention.ts";
import { BACKUP_NAMES, type BackupSettings, readBackup } from "./backup.ts";
import { CAPACITY_NAMES, type CapacitySettings, readCapacity } from "./capacity/capacity-settings.ts";
import {
  arnsOf,
  type Context,
  fileOf,
  flagOf,
  InvalidSettingsError,
  numberOf,
  problemsText,
  textOf,
} from "./context-values.ts";
import { type AccessLogs, accessLogsOf } from "./gateway/access-logs.ts";
import { AUDIT_LOG_NAMES, type AuditLogSettings, auditLogsOf } from "./audit-logs/audit-log-settings.ts";
import { ARCHIVE_NAMES, type ArchiveSettings, archiveOf } from "./archive/archive-settings.ts";
import { METRIC_NAMES, type MetricSettings, readMetrics } from "./monitoring/metric-settings.ts";
import { notificationsOf, type NotificationSettings } from "./notify/notification-settings.ts";
import { type Readers, readersOf } from "./reader-settings.ts";
import { readStorage, STORAGE_NAMES, type StorageSettings } from "./storage-policy.ts";

/**
 * The settings of a stage. Each field is a context value of the same name: `npx cdk deploy -c stage=test -c
 * retentionDays=90`.
 */
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
  /**
   * The key that encrypts data and logs at rest: AWS owned (free), or a customer managed key, whose use CloudTrail
   * logs.
   * @default "aws"
   */
  readonly encryption: "aws" | "customer";
  /** Any principal that can send to the queue may send for any cluster, and any caller can read. @default false */
  readonly openMode: boolean;
  /**
   * Who can read, in exactly one way: `-c oidcIssuer=... -c oidcAudience=...`, `-c iamAccess=true`, or `-c
   * openMode=true`.
   */
  readonly readers: Readers;
  /**
   * Principals of other accounts that may send to the queue. Those of this account need only their own policy. @default
   * none
   */
  readonly senderArns: readonly string[];
  /** Where alarm notifications go. @default no notifications */
  readonly alarmEmail?: string;
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
   * Whether the stage has the role with which `outlive erase --stack` removes data. Deploy it for an erasure, and
   * without it afterwards. @default false
   */
  readonly erasure: boolean;
  /** Daily backups. Each field is a context value of its own. */
  readonly backup: BackupSettings;
  /** Whether closed hours of the log are archived to S3, and how. @default none */
  readonly archive?: ArchiveSettings;
  /**
   * Where audit logs are, by cluster: `-c auditLogGroups=prod-eu=/aws/eks/prod-eu/cluster`. @default deletions are
   * explained by what exporters send
   */
  readonly auditLogs?: AuditLogSettings;
  /** Who is notified, and of what: `-c rules=rules.yaml`, `-c rulesSecret=ARN`. @default no notifications */
  readonly notifications?: NotificationSettings;
  /**
   * How many series the metrics of Jobs have, and which of them CloudWatch gets. Each field is a context value of its
   * own.
   */
  readonly metrics: MetricSettings;
  /** Whether X-Ray traces requests through the API and all functions. It costs per trace. @default false */
  readonly tracing: boolean;
}

/** The names that `-c` accepts. */
export const SETTING_NAMES: readonly string[] = [
  "stage disposable retentionDays foldSeconds encryption openMode senderArns alarmEmail",
  "requestsPerSecond webAcl accessLogs apiKey canary erasure tracing logLinks rules rulesSecret",
  "keepProjectors",
  "iamAccess oidcIssuer oidcAudience oidcKeysUrl oidcClaim oidcGroupsClaim oidcGroupGrants",
  "pageClientId pageAuthorizationUrl pageTokenUrl pageScope pageToken",
  ...ARCHIVE_NAMES,
  ...CAPACITY_NAMES,
  ...METRIC_NAMES,
  ...BACKUP_NAMES,
  ...STORAGE_NAMES,
  ...AUDIT_LOG_NAMES,
].flatMap((names) => names.split(" "));

/**
 * Rejects unknown names, because a misspelt setting would silently keep its default. The CDK's own context names
 * contain other characters than letters. Throws {@link InvalidSettingsError}.
 */
export function rejectUnknownSettings(given: readonly string[]): void {
  const unknown = given.find((name) => /^[a-zA-Z]+$/.test(name) && !SETTING_NAMES.includes(name));
  if (unknown === undefined) return;
  const similar = SETTING_NAMES.find((name) => name.toLowerCase() === unknown.toLowerCase());
  const advice = similar === undefined ? `Settings: ${SETTING_NAMES.join(", ")}` : `Write ${similar}`;
  throw new InvalidSettingsError(`Unknown setting ${unknown}. ${advice}.`);
}

const STAGE = { pattern: /^[a-z][a-z0-9-]{0,15}$/, form: "1 to 16 of a-z, 0-9 and -, a letter first" };
const EMAIL = { pattern: /^[^\s@]+@[^\s@]+$/, form: "an address such as ops@example.org" };
/** The environment variables of a Lambda function have 4 KB together. */
const MAX_LOG_LINKS = 2_500;
const VERSIONS = {
  pattern: /^[1-9]\d{0,9},[1-9]\d{0,9}$/,
  form: "two versions such as 12,9 (output ProjectorVersions)",
};
const ENCRYPTION = { pattern: /^(aws|customer)$/, form: "aws or customer" };

/** Reads and validates all settings before the first construct is created. Throws {@link InvalidSettingsError}. */
export function readSettings(context: Context): Settings {
  const stage = textOf(context, "stage", STAGE) ?? "live";
  const disposable = flagOf(context, "disposable");
  const openMode = flagOf(context, "openMode");
  if (openMode && !disposable) {
    throw new InvalidSettingsError(
      `Open mode would let anyone read and write the retained data of stage ${stage}. Remove -c openMode=true, or ` +
        "add -c disposable=true if it is a trial.",
    );
  }
  const retentionDays = numberOf(context, "retentionDays", { least: 1, most: 3650, default: DEFAULT_RETENTION_DAYS });
  return {
    stage,
    disposable,
    retentionDays,
    foldSeconds: numberOf(context, "foldSeconds", { least: 0, most: 5, default: 0 }),
    encryption: textOf(context, "encryption", ENCRYPTION) === "customer" ? "customer" : "aws",
    openMode,
    readers: readersOf(context, openMode),
    senderArns: arnsOf(context, "senderArns"),
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
  const alarmEmail = textOf(context, "alarmEmail", EMAIL);
  const logLinks = logLinksOf(context);
  const archive = archiveOf(context, disposable);
  const notifications = notificationsOf(context);
  const auditLogs = auditLogsOf(context);
  const kept = textOf(context, "keepProjectors", VERSIONS);
  const keepProjectors = kept === undefined ? undefined : parseProjectorVersions(kept);
  return {
    ...(keepProjectors !== undefined && { keepProjectors }),
    ...(alarmEmail !== undefined && { alarmEmail }),
    ...(logLinks !== undefined && { logLinks }),
    ...(archive !== undefined && { archive }),
    ...(notifications !== undefined && { notifications }),
    ...(auditLogs !== undefined && { auditLogs }),
  };
}
