import { Match } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import { LIVE, synthesise } from "./synthesised.ts";

const GROUP = "AWS::Logs::LogGroup";
const ENCRYPTED = { ...LIVE, encryption: "customer" };

describe("the log groups of a stage with its own key", () => {
  it("are encrypted with it, those of the access log and of optional parts included", () => {
    const { template, resources } = synthesise({
      ...ENCRYPTED,
      archive: "true",
      auditLogGroups: "eu=/aws/eks/eu/cluster",
    });
    const paths = [...resources.values()].flatMap(({ type, path }) => (type === GROUP ? [path] : []));
    expect(paths).toEqual(
      expect.arrayContaining(["Http/AccessLogs", "In/Ingest/Logs", "AuditLogs/AuditLogs/Logs", "Archive/Archive/Logs"]),
    );
    template.allResourcesProperties(GROUP, {
      KmsKeyId: { "Fn::GetAtt": [Match.stringLikeRegexp("^Key"), "Arn"] },
    });
  });

  it("are the only ones for which CloudWatch Logs may use it", () => {
    synthesise(ENCRYPTED).template.hasResourceProperties("AWS::KMS::Key", {
      KeyPolicy: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Sid: "CloudWatchLogsEncrypts",
            Principal: { Service: { "Fn::Join": ["", ["logs.", { Ref: "AWS::Region" }, ".amazonaws.com"]] } },
            Condition: {
              ArnLike: {
                "kms:EncryptionContext:aws:logs:arn": {
                  "Fn::Join": ["", Match.arrayWith([Match.stringLikeRegexp(":log-group/?:?Outlive-\\*")])],
                },
              },
            },
          }),
        ]),
      },
    });
  });

  it("have AWS's key otherwise", () => {
    synthesise(LIVE).template.allResourcesProperties(GROUP, { KmsKeyId: Match.absent() });
  });
});
