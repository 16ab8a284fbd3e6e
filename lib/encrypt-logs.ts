import { Annotations, Stack } from "aws-cdk-lib";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { IKey } from "aws-cdk-lib/aws-kms";
import { CfnLogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";

const IMPORTED =
  "The policy of an imported encryptionKey cannot be changed here. It must let CloudWatch Logs encrypt the log " +
  "groups of the stack (docs/deploy.md), and senders of other accounts use it through SQS.";

/**
 * Encrypts all log groups of a stage with its key. CloudWatch Logs uses the key for log groups whose names begin with
 * that of the stack, as CloudFormation names them (CloudWatch Logs User Guide, "Encrypt log data using AWS KMS").
 * Events that were written before keep their key.
 */
export function encryptLogs(stage: Construct, key: IKey): void {
  const stack = Stack.of(stage);
  const groups = stack.formatArn({ service: "logs", resource: `log-group:${stack.stackName}-*` });
  const added = key.addToResourcePolicy(
    new PolicyStatement({
      sid: "CloudWatchLogsEncrypts",
      principals: [new ServicePrincipal(`logs.${stack.region}.amazonaws.com`)],
      actions: ["kms:Decrypt", "kms:DescribeKey", "kms:Encrypt", "kms:GenerateDataKey*", "kms:ReEncrypt*"],
      // The policy of a key applies to this key only.
      resources: ["*"],
      conditions: { ArnLike: { "kms:EncryptionContext:aws:logs:arn": groups } },
    }),
  );
  if (!added.statementAdded) Annotations.of(stage).addWarningV2("outlive:key-of-logs", IMPORTED);
  for (const construct of stage.node.findAll()) {
    if (construct instanceof CfnLogGroup) construct.kmsKeyId = key.keyArn;
  }
}
