import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from "aws-cdk-lib/aws-dynamodb";
import type { PolicyDocument } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { JOBS_SCHEMA, type TableSchema } from "../src/deployment/tables.ts";
import { removalPolicyOf, type StoragePolicy } from "./storage-policy.ts";

export interface TableOptions {
  readonly schema: TableSchema;
  readonly storage: StoragePolicy;
  /** @default none */
  readonly resourcePolicy?: PolicyDocument;
}

/**
 * A table with a schema of src/deployment/tables.ts. Billed on demand: Jobs come in bursts, and an idle table costs its
 * storage only. Warm throughput prepares a table and its indexes for a burst that is larger than any before.
 */
export function createTable(scope: Construct, id: string, { schema, storage, resourcePolicy }: TableOptions): Table {
  const { disposable = false, key, warmWriteUnits } = storage;
  const warm = warmWriteUnits !== undefined && { warmThroughput: { writeUnitsPerSecond: warmWriteUnits } };
  const table = new Table(scope, id, {
    ...keysOf(schema),
    ...warm,
    timeToLiveAttribute: schema.expiry,
    ...(schema.stream !== undefined && { stream: StreamViewType[schema.stream] }),
    ...(resourcePolicy !== undefined && { resourcePolicy }),
    billingMode: BillingMode.PAY_PER_REQUEST,
    removalPolicy: removalPolicyOf(storage),
    deletionProtection: !disposable,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: !disposable },
    ...(key === undefined
      ? { encryption: TableEncryption.DEFAULT }
      : { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey: key }),
  });
  for (const index of schema.indexes) {
    table.addGlobalSecondaryIndex({
      indexName: index.name,
      ...keysOf(index),
      ...warm,
      projectionType: ProjectionType.KEYS_ONLY,
    });
  }
  return table;
}

/** The ARNs of the indexes of a table of Jobs. */
export function jobIndexArns({ tableArn }: Table): readonly string[] {
  return JOBS_SCHEMA.indexes.map(({ name }) => `${tableArn}/index/${name}`);
}

function keysOf({ partitionKey, sortKey }: Pick<TableSchema, "partitionKey" | "sortKey">) {
  return {
    partitionKey: { name: partitionKey, type: AttributeType.STRING },
    sortKey: { name: sortKey, type: AttributeType.STRING },
  };
}
