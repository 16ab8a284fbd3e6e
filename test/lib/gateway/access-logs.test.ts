import { Match } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import { LIVE, synthesise } from "../synthesised.ts";

const live = synthesise(LIVE);

describe("the access log of the API", () => {
  it("logs every request, also refused ones, unless the stage is configured without an access log", () => {
    live.template.hasResourceProperties("AWS::ApiGateway::Stage", {
      AccessLogSetting: {
        DestinationArn: Match.anyValue(),
        Format: Match.stringLikeRegexp(
          String.raw`"status":"\$context.status","refused":"\$context.error.responseType"`,
        ),
      },
    });
    live.template.resourceCountIs("AWS::ApiGateway::Account", 1);
    const existing = synthesise({ ...LIVE, accessLogs: "existingRole" }).template;
    existing.resourceCountIs("AWS::ApiGateway::Account", 0);
    existing.hasResourceProperties("AWS::ApiGateway::Stage", { AccessLogSetting: Match.anyValue() });
    synthesise({ ...LIVE, accessLogs: "none" }).template.hasResourceProperties("AWS::ApiGateway::Stage", {
      AccessLogSetting: Match.absent(),
    });
  });

  it("leaves the role of the account's logs in place when the stack is deleted: other APIs use it", () => {
    for (const type of ["AWS::ApiGateway::Account", "AWS::IAM::Role"]) {
      const [role] = [...live.resources.values()].filter(
        (each) => each.type === type && /CloudWatchRole|Account/.test(each.path),
      );
      expect(role?.deletionPolicy).toBe("Retain");
    }
  });
});
