import { Duration } from "aws-cdk-lib";
import { Construct } from "constructs";
import type { EventLog } from "./event-log.ts";
import { OutliveFunction } from "./outlive-function.ts";
import { type Projection, READ_LOG, READ_META } from "./projection.ts";
import type { Settings } from "./settings.ts";
import type { StoragePolicy } from "./storage-policy.ts";

export interface QueryProps {
  readonly storage: StoragePolicy;
  readonly stage: string;
  readonly log: EventLog;
  readonly projection: Projection;
  /** Who may ask. */
  readonly settings: Pick<Settings, "openMode" | "oidc" | "iamAccess">;
}

/** The functions behind the API: one answers questions and may read and nothing else, one hands out the page and may do nothing at all. */
export class Query extends Construct {
  readonly function: OutliveFunction;
  readonly page: OutliveFunction;

  constructor(scope: Construct, id: string, props: QueryProps) {
    super(scope, id);
    const { stage, log, projection, settings, storage } = props;
    const access = accessVariables(settings);
    this.function = new OutliveFunction(this, "Query", {
      name: "query",
      stage,
      description: "Answers questions over HTTP",
      timeout: Duration.seconds(29),
      memory: 1769,
      environment: { ...projection.environment, ...access },
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
      environment: access,
    });
  }
}

/** How src/runtime reads who may ask. */
function accessVariables({ openMode, oidc, iamAccess }: QueryProps["settings"]): Readonly<Record<string, string>> {
  return {
    OUTLIVE_OPEN_MODE: `${openMode}`,
    OUTLIVE_IAM_ACCESS: `${iamAccess}`,
    ...(oidc !== undefined && { OUTLIVE_OIDC_ISSUER: oidc.issuer, OUTLIVE_OIDC_AUDIENCE: oidc.audience }),
    ...(oidc?.claim !== undefined && { OUTLIVE_OIDC_CLAIM: oidc.claim }),
  };
}
