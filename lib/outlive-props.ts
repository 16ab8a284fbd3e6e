import type { Duration } from "aws-cdk-lib";
import type { IBackupVault } from "aws-cdk-lib/aws-backup";
import type { IKey } from "aws-cdk-lib/aws-kms";
import type { ILogGroup } from "aws-cdk-lib/aws-logs";
import type { ISecret } from "aws-cdk-lib/aws-secretsmanager";
import type { ITopic } from "aws-cdk-lib/aws-sns";

/** What a stage is. Every property has a default that suits most fleets. */
export interface OutliveProps {
  /**
   * The name of the stage: `outlive --stage NAME` finds it by this name in its account and region. 1 to 16 characters
   * of `a-z0-9-`, the first a letter. @default "live"
   */
  readonly stage?: string;
  /**
   * Whether deleting the stack deletes the data. Otherwise tables, buckets and keys are retained, tables have deletion
   * protection, and the log and the records can be restored to any second of the last 35 days. @default false
   */
  readonly disposable?: boolean;
  /** How long a Job is kept after it ended: 1 to 3,650 days. @default 400 days */
  readonly retention?: Duration;
  /** Who can read. @default `{ kind: "iam" }`: IAM principals that are registered (`registerReader`) */
  readonly readers?: Readers;
  /** Encrypts the data and the logs of functions. Senders need its use as well. @default keys that AWS owns */
  readonly encryptionKey?: IKey;
  /** Where alarms notify. @default alarms notify nobody */
  readonly alarmTopic?: ITopic;
  /**
   * Whether closed hours of the log are archived in a bucket. The bucket is the stage's own, because its policy is a
   * part of what an archive promises: objects are never replaced or deleted. @default false
   */
  readonly archive?: boolean;
  /** How long the log of a stage with an archive is kept: at least 7 days. @default 35 days */
  readonly logRetention?: Duration;
  /** For how long S3 refuses to delete a version of an archived object (Object Lock, governance mode). @default none */
  readonly archiveLock?: Duration;

  /**
   * One-Pod Jobs that begin per second at the peak, in all clusters together. 1 to 6,000. Concurrency, shards and
   * throughput follow from it (docs/deploy/settings.md). @default 300
   */
  readonly peakJobsPerSecond?: number;
  /** How tables are billed: by request, or for units that are scaled by use. @default "onDemand" */
  readonly capacity?: "onDemand" | "provisioned";
  /** The account's quota of concurrent Lambda executions. @default 10, the quota of a new account */
  readonly accountConcurrency?: number;
  /** Whether each function has a share of the account's concurrency, which is also its limit. @default false */
  readonly reserveConcurrency?: boolean;
  /** Batches of ten messages that are ingested at once. @default from `peakJobsPerSecond` */
  readonly ingestConcurrency?: number;
  /** Seconds for which Lambda waits for ten segments, which then are one log item: 0 to 10. @default 1 */
  readonly ingestBatchSeconds?: number;
  /** Batches of one shard of the log that are projected at once: 1 to 10. @default 10 */
  readonly projectLanes?: number;
  /** Shards of the log's stream. @default from `peakJobsPerSecond` */
  readonly logShards?: number;
  /** Shards of the log: 1 to 64. @default from `peakJobsPerSecond` */
  readonly packShards?: number;
  /** Batches of ten log keys that are projected again at once. @default 2 */
  readonly refoldConcurrency?: number;
  /** Units of a replay that are projected at once. @default 2 */
  readonly replayConcurrency?: number;
  /** Requests that are answered at once, where concurrency is reserved. @default from `peakJobsPerSecond` */
  readonly queryConcurrency?: number;
  /** Write units per second for which tables are prepared: 4,000 to 40,000. @default from `peakJobsPerSecond` */
  readonly warmWriteUnits?: number;
  /** Seconds for which segments are collected before they are projected together: 0 to 5. @default 0 */
  readonly foldSeconds?: number;

  /** The class of the log and of the tables of Jobs. @default "infrequent" from a retention of 180 days on */
  readonly tableClass?: "standard" | "infrequent";
  /** Whether the tables of Jobs have point-in-time recovery too; the log always has. @default false */
  readonly backupJobs?: boolean;
  /** For how many days daily backups by AWS Backup are kept. @default 0: none */
  readonly backupDays?: number;
  /** Gets a copy of each backup, in another region or account. @default no copy */
  readonly backupCopyVault?: IBackupVault;

  /** Requests per second of all readers together. @default 50 */
  readonly requestsPerSecond?: number;
  /** Whether AWS WAF limits the requests of each address. @default false */
  readonly webAcl?: boolean;
  /**
   * Where API Gateway logs requests. `withRole` also sets the role with which it writes logs for the whole account and
   * region. @default "withRole", of a disposable stage "none"
   */
  readonly accessLogs?: "withRole" | "existingRole" | "none";
  /** Whether requests need an API key. It is no authentication. @default false */
  readonly apiKey?: boolean;
  /** The path of a file of log links (docs/log-links.md). @default answers have no links to logs */
  readonly logLinks?: string;
  /** Whether new versions of ingest and query first get one invocation in ten. @default true, if not disposable */
  readonly canary?: boolean;
  /** Versions of the projectors that stay in use while this release is tried beside them. @default none */
  readonly keepProjectors?: string;
  /** Whether the stage has the role with which `outlive erase --stage` removes data. @default false */
  readonly erasure?: boolean;
  /** The path of a file of rules for notifications (docs/notifications.md). @default no notifications */
  readonly rules?: string;
  /** The variables that the rule file names, as a JSON object. @default the file names none */
  readonly rulesSecret?: ISecret;
  /** Where EKS delivers the audit logs of each cluster, in this account and region. @default none */
  readonly auditLogGroups?: readonly AuditLogGroup[];
  /** Label sets of Jobs in `/v1/metrics`. @default 10000 */
  readonly metricsMaxSeries?: number;
  /** Which metrics of Jobs CloudWatch gets. @default "stage" */
  readonly jobMetrics?: "none" | "stage" | "cluster";
  /** Whether failed Jobs, missed runs and needless runs raise alarms. @default false */
  readonly jobAlarms?: boolean;
  /** Whether X-Ray traces requests. @default false */
  readonly tracing?: boolean;
}

/** A log group to which EKS delivers the audit log of a cluster. */
export interface AuditLogGroup {
  /** The name of the cluster in answers. A cluster may have several log groups. */
  readonly cluster: string;
  readonly logGroup: ILogGroup;
}

/** Who can read. */
export type Readers =
  /** Everybody who can reach the API, and every sender may send for any cluster. Only for a disposable stage. */
  | { readonly kind: "open" }
  /** IAM principals that are registered; API Gateway verifies their signatures (SigV4). */
  | { readonly kind: "iam" }
  | OidcReaders;

/** Callers with a token of an OpenID Connect issuer (docs/access.md describes how its claims become grants). */
export interface OidcReaders {
  readonly kind: "oidc";
  /** `https://...`, exactly as in the tokens' `iss`. */
  readonly issuer: string;
  /** One or more, separated by commas. */
  readonly audience: string;
  /** The issuer's JSON Web Key Set. @default from its discovery document */
  readonly keysUrl?: string;
  /** The claim with the grants of a reader. @default "outlive" */
  readonly claim?: string;
  /** The claim with the groups of a reader. @default "groups" */
  readonly groupsClaim?: string;
  /** Grants of each group as JSON: `{"sre":["*"]}`. @default none */
  readonly groupGrants?: string;
  /** How readers of the page sign in (docs/page.md). @default they paste a token */
  readonly page?: PageClient;
}

/**
 * The page as a public client of the issuer: authorization code with PKCE (RFC 7636), no secret. The endpoints are
 * given, because the page's Content-Security-Policy contains the token endpoint's origin and the page function sends
 * no requests.
 */
export interface PageClient {
  /** The issuer's id of the client. */
  readonly clientId: string;
  /** `authorization_endpoint` of the issuer's discovery document, https. */
  readonly authorizationUrl: string;
  /** `token_endpoint` of the issuer's discovery document, https; it must allow the page's origin (CORS). */
  readonly tokenUrl: string;
  /** Separated by spaces. @default "openid" */
  readonly scope?: string;
  /**
   * The token that the page sends to the API. Cognito's access token has no `aud`: choose the id token there.
   * @default "access_token"
   */
  readonly token?: "access_token" | "id_token";
}
