/**
 * The settings that say who can read, as the operator configured them. The query function enforces them, and the page
 * function derives the sign-in from them.
 */
const READER_VARIABLES = [
  "OUTLIVE_OPEN_MODE",
  "OUTLIVE_IAM_ACCESS",
  "OUTLIVE_OIDC_ISSUER",
  "OUTLIVE_OIDC_AUDIENCE",
  "OUTLIVE_OIDC_KEYS_URL",
  "OUTLIVE_OIDC_CLAIM",
  "OUTLIVE_OIDC_GROUPS_CLAIM",
  "OUTLIVE_OIDC_GROUP_GRANTS",
] as const;

/** How readers sign in on the page: set as configured. */
const PAGE_CLIENT_VARIABLES = [
  "OUTLIVE_PAGE_CLIENT_ID",
  "OUTLIVE_PAGE_AUTHORIZATION_URL",
  "OUTLIVE_PAGE_TOKEN_URL",
  "OUTLIVE_PAGE_SCOPE",
  "OUTLIVE_PAGE_TOKEN",
] as const;

/** Where the logs of Pods can be read: the content of a file of log links. */
const LOG_LINKS = ["OUTLIVE_LOG_LINK_TEMPLATES"] as const;

/** The log groups with audit logs: JSON of log group to cluster. */
const AUDIT_LOG_GROUPS = ["OUTLIVE_AUDIT_LOG_GROUPS"] as const;
/** The sender of their deletions: the unique id of the function's role. */
const AUDIT_LOGS_VARIABLES = [...AUDIT_LOG_GROUPS, "OUTLIVE_AUDIT_LOGS_PRINCIPAL"] as const;

/** The secret with the variables that the rule file names: set as configured. */
const SECRET_VARIABLES = ["OUTLIVE_RULES_SECRET"] as const;

/** The bucket of the archive. The archive function requires it. */
const ARCHIVE = ["OUTLIVE_ARCHIVE_BUCKET"] as const;

/** For how many days an archived log is kept. */
const LOG_DAYS = ["OUTLIVE_LOG_DAYS"] as const;

/** `trial` for the projector of a release that is tried beside the one in use. */
const PROJECTOR = ["OUTLIVE_PROJECTOR"] as const;
/** The versions of the projectors that a trial keeps: `PROJECT,REFOLD`. */
const KEPT_PROJECTORS = ["OUTLIVE_KEPT_PROJECTORS"] as const;
/** The queue of log items that the trial's projector has to project again. */
const TRIAL_REFOLDS = ["OUTLIVE_TRIAL_REFOLD_QUEUE_URL"] as const;

const LOG_TABLE = ["OUTLIVE_LOG_TABLE"] as const;
const PROJECTION_TABLES = [
  "OUTLIVE_JOBS_TABLE_A",
  "OUTLIVE_JOBS_TABLE_B",
  "OUTLIVE_META_TABLE",
  "OUTLIVE_RETENTION_DAYS",
] as const;
/** The rule file beside the bundle, and the queue of each receiver. */
const NOTIFICATIONS = ["OUTLIVE_RULES_FILE", "OUTLIVE_DELIVERY_QUEUES"] as const;
const ALL_TABLES = [...LOG_TABLE, ...PROJECTION_TABLES] as const;

/** The environment variables of each function. The stack sets them (lib/), the function reads them (src/runtime/). */
export const FUNCTION_VARIABLES = {
  ingest: [
    "OUTLIVE_STAGE",
    ...LOG_TABLE,
    "OUTLIVE_META_TABLE",
    "OUTLIVE_RETENTION_DAYS",
    ...LOG_DAYS,
    "OUTLIVE_SEGMENT_QUEUE_URL",
    "OUTLIVE_PACK_SHARDS",
    "OUTLIVE_SET_ASIDE_BUCKET",
    "OUTLIVE_OPEN_MODE",
    ...AUDIT_LOGS_VARIABLES,
  ],
  "audit-logs": ["OUTLIVE_STAGE", "OUTLIVE_SEGMENT_QUEUE_URL", ...AUDIT_LOG_GROUPS],
  project: ["OUTLIVE_STAGE", ...PROJECTION_TABLES, ...PROJECTOR, "OUTLIVE_REFOLD_QUEUE_URL"],
  refold: ["OUTLIVE_STAGE", ...ALL_TABLES, ...ARCHIVE, ...PROJECTOR],
  audit: ["OUTLIVE_STAGE", ...ALL_TABLES, ...ARCHIVE, "OUTLIVE_REFOLD_QUEUE_URL", ...TRIAL_REFOLDS],
  replay: ["OUTLIVE_STAGE", ...ALL_TABLES, ...ARCHIVE, ...KEPT_PROJECTORS],
  sweep: ["OUTLIVE_STAGE", ...PROJECTION_TABLES],
  query: [
    "OUTLIVE_STAGE",
    ...ALL_TABLES,
    ...ARCHIVE,
    "OUTLIVE_READER_REQUESTS_PER_SECOND",
    ...READER_VARIABLES,
    ...LOG_LINKS,
  ],
  archive: ["OUTLIVE_STAGE", ...ALL_TABLES, ...ARCHIVE],
  retain: ["OUTLIVE_STAGE", ...ALL_TABLES],
  notify: ["OUTLIVE_STAGE", ...ALL_TABLES, ...NOTIFICATIONS, ...LOG_LINKS],
  deliver: ["OUTLIVE_STAGE", "OUTLIVE_META_TABLE", "OUTLIVE_RETENTION_DAYS", ...NOTIFICATIONS, ...SECRET_VARIABLES],
  count: ["OUTLIVE_STAGE", ...PROJECTION_TABLES, "OUTLIVE_METRICS_MAX_SERIES", "OUTLIVE_JOB_METRICS"],
  page: ["OUTLIVE_STAGE", ...READER_VARIABLES, ...PAGE_CLIENT_VARIABLES],
} as const;

/** A Lambda function of the stack; functions/NAME.ts is its entry. */
export type FunctionName = keyof typeof FUNCTION_VARIABLES;

type VariableOf<Name extends FunctionName> = (typeof FUNCTION_VARIABLES)[Name][number];
export type VariableName = VariableOf<FunctionName>;

/** Variables that are absent unless they were configured. */
type Configured =
  | (typeof ARCHIVE)[number]
  | (typeof PROJECTOR)[number]
  | (typeof KEPT_PROJECTORS)[number]
  | (typeof TRIAL_REFOLDS)[number]
  | (typeof LOG_DAYS)[number]
  | (typeof READER_VARIABLES)[number]
  | (typeof PAGE_CLIENT_VARIABLES)[number]
  | (typeof LOG_LINKS)[number]
  | (typeof AUDIT_LOGS_VARIABLES)[number]
  | (typeof SECRET_VARIABLES)[number];

/** What the stack must set for a function, besides its stage. */
export type FunctionEnvironment<Name extends FunctionName> = Readonly<
  Record<Exclude<VariableOf<Name>, Configured | "OUTLIVE_STAGE">, string>
> &
  Readonly<Partial<Record<Extract<VariableOf<Name>, Configured>, string>>>;
