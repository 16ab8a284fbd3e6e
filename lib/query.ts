import { Duration } from "aws-cdk-lib";
import { Construct } from "constructs";
import type { EventLog } from "./event-log.ts";
import { OutliveFunction } from "./outlive-function.ts";
import { type Projection, READ_LOG, READ_META } from "./projection.ts";
import type { PageClient, Readers } from "./settings.ts";
import type { StoragePolicy } from "./storage-policy.ts";

export interface QueryProps {
  readonly storage: StoragePolicy;
  readonly stage: string;
  readonly log: EventLog;
  readonly projection: Projection;
  /** Who may ask. */
  readonly readers: Readers;
}

/** The functions behind the API: one answers questions and may read and nothing else, one hands out the page and may do nothing at all. */
export class Query extends Construct {
  readonly function: OutliveFunction;
  readonly page: OutliveFunction;

  constructor(scope: Construct, id: string, props: QueryProps) {
    super(scope, id);
    const { stage, log, projection, readers, storage } = props;
    const access = readerVariables(readers);
    this.function = new OutliveFunction(this, "Query", {
      name: "query",
      stage,
      description: "Answers questions over HTTP",
      timeout: Duration.seconds(29),
      memory: 1769,
      environment: { OUTLIVE_LOG_TABLE: log.table.tableName, ...projection.environment, ...access },
    });
    projection.letReadJobs(this.function);
    this.function.allow(READ_META, [projection.meta.tableArn]);
    this.function.allow(READ_LOG, [log.table.tableArn]);
    this.function.useKey(storage.key);
    this.page = new OutliveFunction(this, "Page", {
      name: "page",
      stage,
      description: "Hands out the page's files",
      timeout: Duration.seconds(10),
      memory: 256,
      assets: "web/dist",
      environment: { ...access, ...signInVariables(readers) },
    });
  }
}

/** Who may ask, as src/runtime/reader-settings.ts reads it. */
function readerVariables(readers: Readers): Readonly<Record<string, string>> {
  switch (readers.kind) {
    case "open":
      return { OUTLIVE_OPEN_MODE: "true" };
    case "iam":
      return { OUTLIVE_IAM_ACCESS: "true" };
    case "oidc":
      return {
        OUTLIVE_OIDC_ISSUER: readers.issuer,
        OUTLIVE_OIDC_AUDIENCE: readers.audience,
        ...(readers.keysUrl !== undefined && { OUTLIVE_OIDC_KEYS_URL: readers.keysUrl }),
        ...(readers.claim !== undefined && { OUTLIVE_OIDC_CLAIM: readers.claim }),
        ...(readers.groupsClaim !== undefined && { OUTLIVE_OIDC_GROUPS_CLAIM: readers.groupsClaim }),
        ...(readers.groupGrants !== undefined && { OUTLIVE_OIDC_GROUP_GRANTS: readers.groupGrants }),
      };
  }
}

/** How readers of the page sign in. The function that answers them needs to know of their tokens only. */
function signInVariables(readers: Readers): Readonly<Record<string, string>> {
  return readers.kind === "oidc" && readers.page !== undefined ? clientVariables(readers.page) : {};
}

function clientVariables({ clientId, authorizationUrl, tokenUrl, scope, token }: PageClient) {
  return {
    OUTLIVE_PAGE_CLIENT_ID: clientId,
    OUTLIVE_PAGE_AUTHORIZATION_URL: authorizationUrl,
    OUTLIVE_PAGE_TOKEN_URL: tokenUrl,
    ...(scope !== undefined && { OUTLIVE_PAGE_SCOPE: scope }),
    ...(token !== undefined && { OUTLIVE_PAGE_TOKEN: token }),
  };
}
