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
import { suppressNag } from "./nag-suppression.ts";
import type { OutliveFunction } from "./outlive-function.ts";

export interface HttpApiProps {
  readonly stage: string;
  /** Answers questions. */
  readonly query: OutliveFunction;
  /** Hands out the page. */
  readonly page: OutliveFunction;
  /** Whether API Gateway itself checks a SigV4 signature of every request (`execute-api:Invoke`). Otherwise the function checks a JWT. @default false */
  readonly signed?: boolean;
  /** @default 50 */
  readonly requestsPerSecond?: number;
  /** Whether every request but the page's must carry an API key. @default false */
  readonly apiKey?: boolean;
}

/** What begins a question's path; everything else is the page's. The last four are kubectl's. */
const QUESTIONS = ["v1", "api", "apis", "clusters", "openapi", "version"];
/** API Gateway holds at most 10 MB of an answer, and Lambda 6 MB; what is smaller than this is not worth compressing. */
const COMPRESSED_FROM = Size.kibibytes(1);
/** A REST API waits 29 seconds for a function at most, unless the account asked for more. */
const PATIENCE = Duration.seconds(29);

/**
 * A REST API, because it takes usage plans and IAM, and because every emulator has it. All paths of a question go to one function, which has its own routes,
 * contract and problem details: a route is written once, in src/http.
 */
export class HttpApi extends Construct {
  readonly api: RestApi;

  constructor(scope: Construct, id: string, props: HttpApiProps) {
    super(scope, id);
    const { stage, query, page, signed = false, requestsPerSecond = 50, apiKey = false } = props;
    this.api = new RestApi(this, "Api", {
      description: "Outlive: questions, and the page",
      cloudWatchRole: false,
      endpointTypes: [EndpointType.REGIONAL],
      minCompressionSize: COMPRESSED_FROM,
      apiKeySourceType: ApiKeySourceType.HEADER,
      deployOptions: {
        stageName: stage,
        throttlingRateLimit: requestsPerSecond,
        throttlingBurstLimit: 2 * requestsPerSecond,
      },
    });
    const asked = new LambdaIntegration(query.lambda, { timeout: PATIENCE, allowTestInvoke: false });
    const access = {
      authorizationType: signed ? AuthorizationType.IAM : AuthorizationType.NONE,
      apiKeyRequired: apiKey,
    };
    for (const name of QUESTIONS) {
      const resource: Resource = this.api.root.addResource(name);
      resource.addMethod("ANY", asked, access);
      resource.addResource("{proxy+}").addMethod("ANY", asked, access);
    }
    this.#acceptRules(signed);
    this.#serve(page);
    if (apiKey) this.#planUsage(requestsPerSecond);
  }

  #acceptRules(signed: boolean): void {
    const logged =
      "Logging by API Gateway takes a role that is set for the whole account; the functions log what they refuse.";
    suppressNag(this, "APIG1", logged);
    suppressNag(this, "APIG6", logged);
    suppressNag(
      this,
      "APIG2",
      "The function checks every request and answers with problem details that say what to do.",
    );
    suppressNag(this, "APIG3", "The stage throttles. A web ACL costs by the month: whoever wants one attaches it.");
    const asked = signed
      ? "Who asks signs with SigV4."
      : "The function checks the bearer token itself (src/http/access/access.ts); the page and the health routes are for everybody.";
    suppressNag(this, "APIG4", asked);
    suppressNag(this, "COG4", asked);
  }

  /** The page is the same for everybody and says nothing of anybody's Jobs. */
  #serve(page: OutliveFunction): void {
    const served = new LambdaIntegration(page.lambda, { timeout: PATIENCE, allowTestInvoke: false });
    this.api.root.addMethod("GET", served);
    this.api.root.addResource("{file}").addMethod("GET", served);
  }

  #planUsage(requestsPerSecond: number): void {
    const plan = this.api.addUsagePlan("Usage", {
      apiStages: [{ stage: this.api.deploymentStage }],
      throttle: { rateLimit: requestsPerSecond, burstLimit: 2 * requestsPerSecond },
      quota: { limit: 1_000_000, period: Period.DAY },
    });
    plan.addApiKey(this.api.addApiKey("Key"));
  }
}
