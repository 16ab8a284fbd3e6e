import { AttributeType, BillingMode, StreamViewType, Table, TableEncryption } from "aws-cdk-lib/aws-dynamodb";
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import { removalPolicyOf, type StoragePolicy } from "./storage-policy.ts";

export interface EventLogProps {
  readonly storage: StoragePolicy;
}

/**
 * The log: one item per segment, written once (docs/architecture.md, invariant 1). Its stream carries each new item to the projection.
 *
 * What IAM can hold of "append-only" it holds twice: no role of the stack is allowed more than PutItem or reading, and the table's own policy denies every way
 * to change or delete an item to everybody, whatever another policy allows. What it cannot hold: a PutItem over an existing key needs the same permission as
 * one of a new key, because no condition key of IAM tells whether a request carries `attribute_not_exists`. Hence every put of ours carries it, the stream
 * shows an overwritten item as MODIFY, and an alarm (ForeignStreamRecords) says so. Point-in-time recovery has what was there before.
 */
export class EventLog extends Construct {
  readonly table: Table;

  constructor(scope: Construct, id: string, { storage }: EventLogProps) {
    super(scope, id);
    this.table = new Table(this, "Table", {
      partitionKey: { name: "pk", type: AttributeType.STRING },
      sortKey: { name: "sk", type: AttributeType.STRING },
      timeToLiveAttribute: "ttl",
      stream: StreamViewType.NEW_IMAGE,
      resourcePolicy: neverChanged(),
      ...tableStorage(storage),
    });
  }
}

/** What all tables have in common. On demand: a cluster's Jobs come in bursts, and a table that nobody writes to costs its storage only. */
export function tableStorage(policy: StoragePolicy) {
  const { disposable = false, key } = policy;
  return {
    billingMode: BillingMode.PAY_PER_REQUEST,
    removalPolicy: removalPolicyOf(policy),
    deletionProtection: !disposable,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: !disposable },
    ...(key === undefined
      ? { encryption: TableEncryption.DEFAULT }
      : { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey: key }),
  };
}

/**
 * Every action that changes or deletes an item. BatchWriteItem is denied as a whole, because it may put and delete and IAM does not see which; a transaction
 * asks for the permissions of what is in it. Time to live is DynamoDB's own doing and asks nobody. The policy belongs to the one table it is attached to, so
 * its resource is `*`: the table's own ARN would make the table depend on itself.
 */
function neverChanged(): PolicyDocument {
  return new PolicyDocument({
    statements: [
      new PolicyStatement({
        sid: "LogItemsAreNeverChangedOrDeleted",
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: [
          "dynamodb:UpdateItem",
          "dynamodb:DeleteItem",
          "dynamodb:BatchWriteItem",
          "dynamodb:PartiQLInsert",
          "dynamodb:PartiQLUpdate",
          "dynamodb:PartiQLDelete",
        ],
        resources: ["*"],
      }),
    ],
  });
}
