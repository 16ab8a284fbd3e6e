import { Duration, Size } from "aws-cdk-lib";
import {
  ApiKeySourceType,
  AuthorizationType,
  EndpointType,
  LambdaIntegration,
  Period,
  type Resource,
  RestApi,
} from "aws-cdk-lib/aws-apigateway";
import { Construct } from "constructs";
import { type AccessLogs, accessLogOf } from "./access-logs.ts";
import { suppressNag } from "../nag-suppression.ts";
import type { OutliveFunction } from "../outlive-function.ts";
import { WebAcl } from "./web-acl.ts";

export interface HttpApiProps {
  readonly stage: string;
  /** Answers queries. */
  readonly query: OutliveFunction;
  /** Takes acknowledgements. */
  readonly acknowledge: OutliveFunction;
  /** Serves the page. */
  readonly page: OutliveFunction;
  /**
   * Whether API Gateway verifies a SigV4 signature (`execute-api:Invoke`). Otherwise the function verifies a JWT.
   * @default false
   */
  readonly signed?: boolean;
  /** @default 50 */
  readonly requestsPerSecond?: number;
  readonly accessLogs: AccessLogs;
  /** Whether AWS WAF limits the requests of each address. @default false */
  readonly webAcl?: boolean;
  /** Whether every request, except for the page, needs an API key. @default false */
  readonly apiKey?: boolean;
  /** Whether X-Ray traces requests. @default false */
  readonly tracing?: boolean;
}

/**
 * The paths of the API below their first segment; every other path belongs to the page. The others than `v1` are for
 * kubectl. A resource `{proxy+}` for all of them would be a sibling of `{file}`, which API Gateway does not allow.
 */
const API_FOLDERS = ["v1", "api", "apis", "clusters", "openapi"];
/** Paths of the API with one segment. */
const API_FILES: readonly string[] = ["api", "apis", "version", "mcp"];
/** Methods of routes that change something. A method of its own goes before ANY. */
const WRITE_METHODS = ["PUT", "DELETE"] as const;
const HEALTH_ROUTES = ["healthz", "readyz"] as const;
/**
 * Routes that need no authentication have limits of their own: who floods them takes nothing from readers. A page and
 * its files are a few requests per visitor; a monitor asks once in some seconds.
 */
const PAGE_LIMIT = { throttlingRateLimit: 50, throttlingBurstLimit: 100 };
const HEALTH_LIMIT = { throttlingRateLimit: 5, throttlingBurstLimit: 10 };
const PUBLIC_LIMITS = {
  "//GET": PAGE_LIMIT,
  "/{file}/GET": PAGE_LIMIT,
  "/v1/healthz/GET": HEALTH_LIMIT,
  "/v1/readyz/GET": HEALTH_LIMIT,
};
/** The part of the throttle that requests of one address may use. */
const ADDRESS_SHARE = 0.5;
const PUSH = "API Gateway accepts only a role with this policy of AWS for its logs.";
/** Smaller responses are not worth compressing. */
const MIN_COMPRESSED = Size.kibibytes(1);
/** The longest that a REST API waits for a function by default. */
const INTEGRATION_TIMEOUT = Duration.seconds(29);

/**
 * A REST API, because it supports usage plans and IAM authorization, and because every emulator has it. All API paths
 * invoke one function, and what changes something another one, which do the routing: src/http defines each route once.
 */
export class HttpApi extends Construct {
  readonly api: RestApi;

  constructor(scope: Construct, id: string, props: HttpApiProps) {
    super(scope, id);
    const { stage, page, signed = false, requestsPerSecond = 50, apiKey = false, webAcl = false } = props;
    this.api = this.#createApi(props, requestsPerSecond);
    this.#addQueryRoutes(props, {
      authorizationType: signed ? AuthorizationType.IAM : AuthorizationType.NONE,
      apiKeyRequired: apiKey,
    });
    this.#suppressNag(props);
    this.#addPageRoutes(page);
    if (apiKey) this.#addUsagePlan(requestsPerSecond);
    if (webAcl) {
      const { stageArn: protectedArn } = this.api.deploymentStage;
      new WebAcl(this, "WebAcl", { stage, protectedArn, requestsPerSecond: ADDRESS_SHARE * requestsPerSecond });
    }
  }

  #createApi({ stage, tracing = false, accessLogs }: HttpApiProps, requestsPerSecond: number): RestApi {
    return new RestApi(this, "Api", {
      description: "Outlive: the API and the page",
      cloudWatchRole: accessLogs === "withRole",
      endpointTypes: [EndpointType.REGIONAL],
      minCompressionSize: MIN_COMPRESSED,
      apiKeySourceType: ApiKeySourceType.HEADER,
      deployOptions: {
        stageName: stage,
        tracingEnabled: tracing,
        throttlingRateLimit: requestsPerSecond,
        throttlingBurstLimit: 2 * requestsPerSecond,
        methodOptions: PUBLIC_LIMITS,
        ...accessLogOf(this, accessLogs),
      },
    });
  }

  #addQueryRoutes(
    { query, acknowledge }: HttpApiProps,
    access: { readonly authorizationType: AuthorizationType; readonly apiKeyRequired: boolean },
  ): void {
    const integration = integrationOf(query);
    for (const name of API_FOLDERS) {
      const resource: Resource = this.api.root.addResource(name);
      const below = resource.addResource("{proxy+}");
      below.addMethod("ANY", integration, access);
      if (name !== "v1") continue;
      for (const method of WRITE_METHODS) below.addMethod(method, integrationOf(acknowledge), access);
      this.#addHealthRoutes(resource, integration, access.apiKeyRequired);
    }
    for (const name of API_FILES) this.api.root.resourceForPath(name).addMethod("ANY", integration, access);
  }

  /** Routes without authentication, for load balancers and monitors. */
  #addHealthRoutes(v1: Resource, integration: LambdaIntegration, apiKeyRequired: boolean): void {
    for (const name of HEALTH_ROUTES) {
      v1.addResource(name).addMethod("GET", integration, { authorizationType: AuthorizationType.NONE, apiKeyRequired });
    }
  }

  #suppressNag({ signed = false, accessLogs, webAcl = false }: HttpApiProps): void {
    if (accessLogs === "none") suppressNag(this, "APIG1", "The stage is configured without an access log.");
    suppressNag(this, "APIG6", "The access log has each request and its refusal; execution logs would have its text.");
    if (accessLogs === "withRole") {
      suppressNag(
        this,
        "IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]",
        PUSH,
      );
    }
    suppressNag(this, "APIG2", "The function validates every request and answers with problem details.");
    if (!webAcl) suppressNag(this, "APIG3", "The stage throttles. A web ACL has a monthly price: it is a setting.");
    const authorized = signed
      ? "Callers sign requests with SigV4."
      : "The function verifies the bearer token (src/http/access/access.ts); the page and the health routes are " +
        "public.";
    suppressNag(this, "APIG4", authorized);
    suppressNag(this, "COG4", authorized);
  }

  /** The page is public: it contains no data. */
  #addPageRoutes(page: OutliveFunction): void {
    const integration = integrationOf(page);
    this.api.root.addMethod("GET", integration);
    this.api.root.addResource("{file}").addMethod("GET", integration);
  }

  #addUsagePlan(requestsPerSecond: number): void {
    const plan = this.api.addUsagePlan("Usage", {
      apiStages: [{ stage: this.api.deploymentStage }],
      throttle: { rateLimit: requestsPerSecond, burstLimit: 2 * requestsPerSecond },
      quota: { limit: 1_000_000, period: Period.DAY },
    });
    plan.addApiKey(this.api.addApiKey("Key"));
  }
}

/** One permission of the function is for all methods of the API. */
function integrationOf({ live }: OutliveFunction): LambdaIntegration {
  return new LambdaIntegration(live, { timeout: INTEGRATION_TIMEOUT, scopePermissionToMethod: false });
}
