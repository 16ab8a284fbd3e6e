import * as v from "valibot";
import { FUNCTION_VARIABLES, type FunctionName, type VariableName } from "../deployment/environment.ts";
import {
  DEFAULT_PACK_SHARDS,
  DEFAULT_READER_REQUESTS,
  MAX_PACK_SHARDS,
  STANDARD_MAX_SERIES,
} from "../deployment/limits.ts";
import { DEFAULT_LOG_DAYS, DEFAULT_RETENTION_DAYS } from "../deployment/retention.ts";
import { clustersOfLogGroups } from "./log-groups.ts";
import {
  bucket,
  flag,
  grantsByGroup,
  list,
  positive,
  projectorVersions,
  queueUrl,
  queueUrls,
  stage,
  table,
  url,
} from "./variables.ts";

/** How each variable of the deployment contract is read. */
const VARIABLES = v.object({
  OUTLIVE_STAGE: stage,
  OUTLIVE_LOG_TABLE: table("log"),
  OUTLIVE_META_TABLE: table("meta"),
  OUTLIVE_JOBS_TABLE_A: table("first Jobs"),
  OUTLIVE_JOBS_TABLE_B: table("second Jobs"),
  OUTLIVE_METRICS_MAX_SERIES: positive("the number of series of Jobs in the metrics", STANDARD_MAX_SERIES),
  OUTLIVE_JOB_METRICS: v.optional(
    v.picklist(
      ["none", "stage", "cluster"],
      ({ input }) => `is ${JSON.stringify(input)}. Set it to "none", "stage" or "cluster".`,
    ),
    "stage",
  ),
  OUTLIVE_RETENTION_DAYS: positive("the number of days for which a Job is kept after it ended", DEFAULT_RETENTION_DAYS),
  OUTLIVE_LOG_DAYS: v.optional(positive("the number of days for which the log is kept", DEFAULT_LOG_DAYS)),
  OUTLIVE_PACK_SHARDS: v.pipe(
    positive("the number of shards of the log", DEFAULT_PACK_SHARDS),
    v.maxValue(
      MAX_PACK_SHARDS,
      ({ input }) => `is "${input}". Set it to the number of shards of the log: at most ${MAX_PACK_SHARDS}.`,
    ),
  ),
  OUTLIVE_REFOLD_QUEUE_URL: queueUrl("refold"),
  OUTLIVE_TRIAL_REFOLD_QUEUE_URL: v.optional(queueUrl("refold")),
  OUTLIVE_PROJECTOR: v.optional(
    v.picklist(["live", "trial"], ({ input }) => `is ${JSON.stringify(input)}. Set it to "live" or "trial".`),
    "live",
  ),
  OUTLIVE_KEPT_PROJECTORS: v.optional(projectorVersions),
  OUTLIVE_SEGMENT_QUEUE_URL: v.optional(queueUrl("segment")),
  OUTLIVE_SET_ASIDE_BUCKET: v.optional(bucket("messages that are too large for a record")),
  OUTLIVE_ARCHIVE_BUCKET: v.optional(bucket("the archive")),
  OUTLIVE_RULES_FILE: v.string("is not set. Set it to the path of the rule file."),
  OUTLIVE_DELIVERY_QUEUES: queueUrls,
  OUTLIVE_RULES_SECRET: v.optional(v.string()),
  OUTLIVE_AUDIT_LOG_GROUPS: v.optional(clustersOfLogGroups, "{}"),
  OUTLIVE_AUDIT_LOGS_PRINCIPAL: v.optional(v.string()),
  OUTLIVE_READER_REQUESTS_PER_SECOND: positive(
    "the number of requests per second that one reader may send to one instance of the function",
    DEFAULT_READER_REQUESTS,
  ),
  OUTLIVE_LOG_LINK_TEMPLATES: v.optional(v.string()),
  OUTLIVE_OPEN_MODE: flag("any sender may send for any cluster, and any caller of the API can read"),
  OUTLIVE_IAM_ACCESS: flag("callers that IAM has authenticated can read what is granted to them"),
  OUTLIVE_OIDC_ISSUER: v.optional(url("the issuer of readers' tokens")),
  OUTLIVE_OIDC_AUDIENCE: v.optional(list),
  OUTLIVE_OIDC_KEYS_URL: v.optional(url("the issuer's JSON Web Key Set")),
  OUTLIVE_OIDC_CLAIM: v.optional(v.string(), "outlive"),
  OUTLIVE_OIDC_GROUPS_CLAIM: v.optional(v.string(), "groups"),
  OUTLIVE_OIDC_GROUP_GRANTS: v.optional(grantsByGroup, "{}"),
  OUTLIVE_PAGE_CLIENT_ID: v.optional(v.string()),
  OUTLIVE_PAGE_AUTHORIZATION_URL: v.optional(url("the issuer's authorization endpoint")),
  OUTLIVE_PAGE_TOKEN_URL: v.optional(url("the issuer's token endpoint")),
  OUTLIVE_PAGE_SCOPE: v.optional(v.string(), "openid"),
  OUTLIVE_PAGE_TOKEN: v.optional(
    v.picklist(
      ["access_token", "id_token"],
      ({ input }) => `is ${JSON.stringify(input)}. Set it to "access_token" or "id_token".`,
    ),
    "access_token",
  ),
} satisfies Record<VariableName, v.GenericSchema>);

/** The variables of a function: it can reach only what its own settings name. */
export function variablesOf<const Name extends FunctionName>(name: Name) {
  return v.pick(VARIABLES, FUNCTION_VARIABLES[name]);
}
