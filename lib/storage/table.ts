import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableClass,
  TableEncryption,
} from "aws-cdk-lib/aws-dynamodb";
import type { PolicyDocument } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import type { TableSchema } from "../../src/ports/deployment/tables.ts";
import { suppressNag } from "../nag-suppression.ts";
import { scaleTable } from "../capacity/provisioned-capacity.ts";
import { initialCapacity, type TableContent, type Units, unitsOfIndex, unitsOfTable } from "../capacity/throughput.ts";
import { removalPolicyOf, type StoragePolicy } from "./storage-policy.ts";

export interface TableOptions {
  readonly schema: TableSchema;
  readonly storage: StoragePolicy;
  /**
   * What the table contains: items that are written once and kept long, Jobs or runs that the log can rebuild, or
   * records that are read with each question.
   */
  readonly content: TableContent;
  /** @default none */
  readonly resourcePolicy?: PolicyDocument;
  /**
   * Whether the table always deletes expired items, or only when the retain function allows it because the archive has
   * them (lib/archive/retain.ts). @default "always"
   */
  readonly expires?: "always" | "guarded";
}

const DISPOSABLE = "The data of a disposable stage needs no backup.";
const REBUILT = "The tables of Jobs and runs can be rebuilt from the log, which has backups.";

/**
 * A table with a schema of src/ports/deployment/tables.ts. Billed on demand: Jobs come in bursts, and an idle table
 * costs its storage only. Warm throughput prepares a table and its indexes for a burst that is larger than any before.
 * Where the load is known, provisioned capacity is cheaper (lib/capacity/provisioned-capacity.ts).
 */
export function createTable(scope: Construct, id: string, options: TableOptions): Table {
  const { schema, storage, resourcePolicy } = options;
  const { disposable = false } = storage;
  const isBackedUp = hasBackups(options);
  const table = new Table(scope, id, {
    ...keysOf(schema),
    ...throughputOf(storage, unitsOfTable(options.content)),
    ...expiryOf(options),
    ...(schema.stream !== undefined && { stream: StreamViewType[schema.stream] }),
    ...(resourcePolicy !== undefined && { resourcePolicy }),
    billingMode: storage.provisionedFor === undefined ? BillingMode.PAY_PER_REQUEST : BillingMode.PROVISIONED,
    removalPolicy: removalPolicyOf(storage),
    deletionProtection: !disposable,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: isBackedUp },
    ...(isInfrequent(options) && { tableClass: TableClass.STANDARD_INFREQUENT_ACCESS }),
    ...encryptionOf(storage),
  });
  if (!isBackedUp) suppressNag(table, "DDB3", disposable ? DISPOSABLE : REBUILT);
  for (const index of schema.indexes) {
    table.addGlobalSecondaryIndex({
      indexName: index.name,
      ...keysOf(index),
      ...throughputOf(storage, unitsOfIndex(options.content, index.name)),
      projectionType: ProjectionType.KEYS_ONLY,
    });
  }
  if (storage.provisionedFor !== undefined) {
    scaleTable(table, { ...options, indexes: schema.indexes, peakJobsPerSecond: storage.provisionedFor });
  }
  return table;
}

function encryptionOf({ key }: StoragePolicy) {
  if (key === undefined) return { encryption: TableEncryption.DEFAULT };
  return { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey: key };
}

function throughputOf({ provisionedFor, warmWriteUnits }: StoragePolicy, units: Units) {
  if (provisionedFor !== undefined) return initialCapacity(provisionedFor, units);
  return warmWriteUnits === undefined ? {} : { warmThroughput: { writeUnitsPerSecond: warmWriteUnits } };
}

function expiryOf({ schema, expires = "always" }: TableOptions): { readonly timeToLiveAttribute?: string } {
  return expires === "always" ? { timeToLiveAttribute: schema.expiry } : {};
}

function hasBackups({ content, storage: { disposable = false, backupJobs = false } }: TableOptions): boolean {
  return !disposable && (!isRebuilt(content) || backupJobs);
}

function isRebuilt(content: TableContent): boolean {
  return content === "jobs" || content === "runs";
}

/** Records are read with each question, and take little space. */
function isInfrequent({ content, storage: { tableClass } }: TableOptions): boolean {
  return content !== "records" && tableClass === "infrequent";
}

/** The ARNs of the indexes of tables with a schema. */
export function indexArns(tables: readonly Table[], { indexes }: TableSchema): readonly string[] {
  return tables.flatMap(({ tableArn }) => indexes.map(({ name }) => `${tableArn}/index/${name}`));
}

/** The ARN of the stream of a table whose schema has one. */
export function streamArnOf({ tableStreamArn, node }: Table): string {
  if (tableStreamArn === undefined) throw new TypeError(`Table ${node.path} has no stream. Give its schema one.`);
  return tableStreamArn;
}

function keysOf({ partitionKey, sortKey }: Pick<TableSchema, "partitionKey" | "sortKey">) {
  return {
    partitionKey: { name: partitionKey, type: AttributeType.STRING },
    sortKey: { name: sortKey, type: AttributeType.STRING },
  };
}
