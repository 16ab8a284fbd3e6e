import { Match } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import { LIVE, synthesise } from "../synthesised.ts";

function limitOf(requestsPerSecond: string): unknown {
  const { resources } = synthesise({ ...LIVE, webAcl: "true", requestsPerSecond });
  const acl = [...resources.values()].find(({ type }) => type === "AWS::WAFv2::WebACL");
  return acl?.properties["Rules"];
}

describe("the web ACL", () => {
  const { template } = synthesise({ ...LIVE, webAcl: "true" });

  it("refuses an address that sends more than half of the throttle for five minutes, with the API's problem", () => {
    template.hasResourceProperties("AWS::WAFv2::WebACL", {
      Scope: "REGIONAL",
      DefaultAction: { Allow: {} },
      Rules: [
        Match.objectLike({
          Statement: { RateBasedStatement: { AggregateKeyType: "IP", Limit: 7_500, EvaluationWindowSec: 300 } },
          Action: {
            Block: {
              CustomResponse: {
                ResponseCode: 429,
                CustomResponseBodyKey: "too-many-requests",
                ResponseHeaders: [{ Name: "Retry-After", Value: "30" }],
              },
            },
          },
        }),
      ],
      CustomResponseBodies: {
        "too-many-requests": {
          ContentType: "APPLICATION_JSON",
          Content: Match.serializedJson(
            Match.objectLike({ type: "urn:outlive:problem:too-many-requests", status: 429 }),
          ),
        },
      },
    });
  });

  it("is before the stage of the API", () => {
    const ResourceArn = Match.objectLike({ "Fn::Join": Match.anyValue() });
    template.hasResourceProperties("AWS::WAFv2::WebACLAssociation", { ResourceArn });
  });

  it("follows the throttle", () => {
    expect(JSON.stringify(limitOf("500"))).toContain('"Limit":75000');
    expect(JSON.stringify(limitOf("1"))).toContain('"Limit":150');
  });
});
