import { CfnWebACL, CfnWebACLAssociation } from "aws-cdk-lib/aws-wafv2";
import { Construct } from "constructs";

export interface WebAclProps {
  readonly stage: string;
  /** The ARN of the API's stage. */
  readonly protectedArn: string;
  /** Requests per second of one address, averaged over {@link WINDOW_SECONDS}. */
  readonly requestsPerSecond: number;
}

/** A morning of page loads behind one address is not a flood. A fast flood exceeds its average within seconds. */
const WINDOW_SECONDS = 300;
const RETRY_AFTER_SECONDS = 30;
const REFUSED = "too-many-requests";
/** As the API's own problem of this kind (src/http/contract/problem.ts). */
const PROBLEM = {
  type: `urn:outlive:problem:${REFUSED}`,
  title: "Too many requests",
  status: 429,
  detail:
    "Your address sends too many requests, also if others behind it send them. Retry after the seconds of the header " +
    "Retry-After. An operator can raise the limit: it is half of requestsPerSecond.",
};

/**
 * Limits the requests of each address before API Gateway counts them: its throttle is one for all callers, and does not
 * know who has a valid token.
 */
export class WebAcl extends Construct {
  constructor(scope: Construct, id: string, { stage, protectedArn, requestsPerSecond }: WebAclProps) {
    super(scope, id);
    const limit = Math.floor(requestsPerSecond * WINDOW_SECONDS);
    const { attrArn: webAclArn } = new CfnWebACL(this, "Acl", {
      description: `Outlive: requests of one address to stage ${stage}`,
      scope: "REGIONAL",
      defaultAction: { allow: {} },
      visibilityConfig: visibilityOf("WebAcl"),
      customResponseBodies: { [REFUSED]: { contentType: "APPLICATION_JSON", content: JSON.stringify(PROBLEM) } },
      rules: [
        {
          name: "requests-of-one-address",
          priority: 0,
          statement: { rateBasedStatement: { aggregateKeyType: "IP", limit, evaluationWindowSec: WINDOW_SECONDS } },
          action: { block: { customResponse: tooManyRequests() } },
          visibilityConfig: visibilityOf("RequestsOfOneAddress"),
        },
      ],
    });
    new CfnWebACLAssociation(this, "Association", { resourceArn: protectedArn, webAclArn });
  }
}

function tooManyRequests(): CfnWebACL.CustomResponseProperty {
  return {
    responseCode: PROBLEM.status,
    customResponseBodyKey: REFUSED,
    responseHeaders: [{ name: "Retry-After", value: String(RETRY_AFTER_SECONDS) }],
  };
}

function visibilityOf(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: true };
}
