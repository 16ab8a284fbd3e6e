import { Duration } from "aws-cdk-lib";
import { Construct } from "constructs";
import type { FunctionEnvironment } from "../src/ports/deployment/settings/function-settings.ts";
import { ACKNOWLEDGE_CONCURRENCY, type CapacitySettings, PAGE_CONCURRENCY } from "./capacity/capacity-settings.ts";
import { allowRegistrations } from "./access/allow-registrations.ts";
import type { EventLog } from "./event-log.ts";
import { OutliveFunction, type StageOfFunctions } from "./outlive-function.ts";
import type { Projection } from "./projection.ts";
import type { PageClient, Readers } from "./outlive-props.ts";
import type { StoragePolicy } from "./storage/storage-policy.ts";

export interface QueryProps extends StageOfFunctions {
  readonly storage: StoragePolicy;
  readonly log: EventLog;
  readonly projection: Projection;
  /** Who can read. */
  readonly readers: Readers;
  readonly capacity: CapacitySettings;
  /** The content of a file of log links (docs/log-links.md). @default answers contain no links to logs */
  readonly logLinks?: string;
}

/**
 * The functions behind the API. One answers queries and can only read. One takes acknowledgements: it can read Jobs and
 * records, and write no other record. One serves the page and has no access to data.
 */
export class Query extends Construct {
  readonly function: OutliveFunction<"query">;
  readonly #acknowledge: OutliveFunction;
  readonly #page: OutliveFunction;

  constructor(scope: Construct, id: string, props: QueryProps) {
    super(scope, id);
    const { stage, tracing, log, projection, readers, storage, capacity, logLinks } = props;
    const access = readerVariables(readers);
    this.function = new OutliveFunction(this, "Query", {
      name: "query",
      stage,
      tracing,
      description: "Answers queries over HTTP",
      timeout: Duration.seconds(29),
      memory: 1769,
      // A deployment must not interrupt the request that an instance is answering.
      versions: "replaced",
      ...(capacity.reserveConcurrency && { reservedConcurrency: capacity.queryConcurrency }),
      environment: {
        OUTLIVE_LOG_TABLE: log.table.tableName,
        ...projection.environment,
        ...access,
        ...(logLinks !== undefined && { OUTLIVE_LOG_LINK_TEMPLATES: logLinks }),
      },
    });
    projection.grantReadJobs(this.function);
    projection.grantListRuns(this.function);
    projection.grantReadRecords(this.function);
    if (readers.kind === "iam") allowRegistrations(this.function, { stage, kind: "readers" });
    log.grantRead(this.function);
    this.function.grantKey(storage.key);
    this.#acknowledge = this.#createAcknowledge(props, access);
    this.#page = new OutliveFunction(this, "Page", {
      name: "page",
      stage,
      tracing,
      description: "Serves the page's files",
      timeout: Duration.seconds(10),
      memory: 256,
      ...(capacity.reserveConcurrency && { reservedConcurrency: PAGE_CONCURRENCY }),
      assets: "web/dist",
      environment: { ...access, ...signInVariables(readers) },
    });
  }

  /** By what they are for. */
  get functions() {
    return { query: this.function, acknowledge: this.#acknowledge, page: this.#page };
  }

  #createAcknowledge(
    { stage, tracing, log, projection, readers, storage, capacity }: QueryProps,
    access: PageEnvironment,
  ) {
    const acknowledge = new OutliveFunction(this, "Acknowledge", {
      name: "acknowledge",
      stage,
      tracing,
      description: "Takes acknowledgements over HTTP",
      timeout: Duration.seconds(29),
      memory: 1024,
      versions: "replaced",
      ...(capacity.reserveConcurrency && { reservedConcurrency: ACKNOWLEDGE_CONCURRENCY }),
      environment: { OUTLIVE_LOG_TABLE: log.table.tableName, ...projection.environment, ...access },
    });
    projection.grantReadJobs(acknowledge);
    projection.grantWriteRecords(acknowledge);
    if (readers.kind === "iam") allowRegistrations(acknowledge, { stage, kind: "readers" });
    acknowledge.grantKey(storage.key);
    return acknowledge;
  }
}

type PageEnvironment = FunctionEnvironment<"page">;

/** Who can read, for src/ports/deployment/settings/reader-settings.ts. */
function readerVariables(readers: Readers): PageEnvironment {
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

/** How readers of the page sign in. Only the page function needs it: the query function verifies tokens. */
function signInVariables(readers: Readers): PageEnvironment {
  return readers.kind === "oidc" && readers.page !== undefined ? clientVariables(readers.page) : {};
}

function clientVariables({ clientId, authorizationUrl, tokenUrl, scope, token }: PageClient): PageEnvironment {
  return {
    OUTLIVE_PAGE_CLIENT_ID: clientId,
    OUTLIVE_PAGE_AUTHORIZATION_URL: authorizationUrl,
    OUTLIVE_PAGE_TOKEN_URL: tokenUrl,
    ...(scope !== undefined && { OUTLIVE_PAGE_SCOPE: scope }),
    ...(token !== undefined && { OUTLIVE_PAGE_TOKEN: token }),
  };
}
