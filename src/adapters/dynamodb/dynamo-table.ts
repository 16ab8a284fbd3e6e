import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
} from "@aws-sdk/client-dynamodb";
import { awsError } from "../aws/aws-error.ts";
import { type Item, number } from "./attribute.ts";
import { requireFit } from "./item-size.ts";

/** A table and its client. All functions throw an AwsError that names the table. */
export interface DynamoTable {
  readonly client: DynamoDBClient;
  readonly name: string;
}

export interface ItemKey {
  readonly pk: string;
  readonly sk: string;
}

export function keyOf({ pk, sk }: ItemKey): Record<"pk" | "sk", AttributeValue> {
  return { pk: { S: pk }, sk: { S: sk } };
}

/**
 * The item, strongly consistent: one read unit for each 4 KB. An outdated item would cause a conflict, which costs ten
 * times the difference.
 */
export async function getItem({ client, name }: DynamoTable, key: ItemKey): Promise<Item | undefined> {
  const input = { TableName: name, Key: keyOf(key), ConsistentRead: true };
  return named(name, async () => (await client.send(new GetItemCommand(input))).Item);
}

export interface Condition {
  readonly expression: string;
  /** For attributes whose names are reserved words. */
  readonly names?: Readonly<Record<string, string>>;
  readonly values?: Readonly<Record<string, AttributeValue>>;
  /** Whether a refused put returns the existing item; it costs no read unit. @default false */
  readonly returnExisting?: boolean;
  /** Ends the request and its repetitions. @default none */
  readonly signal?: AbortSignal;
}

export type PutOutcome = { readonly outcome: "written" } | { readonly outcome: "refused"; readonly existing?: Item };

/**
 * Puts the whole item if the condition holds. A refused put costs the write units of the existing item. The SDK repeats
 * a put whose response was lost, and the repetition then fails because the first attempt succeeded. Callers can compare
 * `existing` to notice that.
 */
export async function putItem(table: DynamoTable, item: Item, condition: Condition): Promise<PutOutcome> {
  requireFit(table.name, item);
  const { expression, names, values, returnExisting = false, signal } = condition;
  const put = new PutItemCommand({
    TableName: table.name,
    Item: { ...item },
    ConditionExpression: expression,
    ...(names && { ExpressionAttributeNames: { ...names } }),
    ...(values && { ExpressionAttributeValues: { ...values } }),
    ...(returnExisting && { ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const }),
  });
  return named(table.name, async () => {
    try {
      await table.client.send(put, signal && { abortSignal: signal });
      return { outcome: "written" };
    } catch (cause) {
      if (!(cause instanceof ConditionalCheckFailedException)) throw cause;
      return { outcome: "refused", ...(cause.Item && { existing: cause.Item }) };
    }
  });
}

/** Deletes an item, if there is one. It takes the write units of the item and of its index entries. */
export async function deleteItem({ client, name }: DynamoTable, key: ItemKey): Promise<void> {
  await named(name, () => client.send(new DeleteItemCommand({ TableName: name, Key: keyOf(key) })));
}

/** The keys of a query: one partition, and a condition on the sort key. */
export interface KeyRange {
  readonly index?: string;
  readonly partitionKey: string;
  readonly partition: string;
  readonly sortKey: string;
  /** Sort keys strictly after this one, in the direction of the query. */
  readonly after?: string | undefined;
  /** Sort keys before this one. Requires `after` if `prefix` is set. */
  readonly before?: string | undefined;
  /** Whether `after` itself is included; not together with `before`. @default false */
  readonly isInclusive?: boolean;
  /** Sort keys with this prefix; ignored together with `after`. */
  readonly prefix?: string | undefined;
  readonly backwards?: boolean;
  /** Reads a table eventually consistent, for half the units. @default false */
  readonly isEventual?: boolean;
  /** {@link QueryPage.last} of the page before. */
  readonly startKey?: Item | undefined;
  /** Only these attributes; it costs the same. @default all */
  readonly attributes?: readonly string[];
}

export interface QueryPage {
  readonly items: readonly Item[];
  /** Whether more may follow. A query also stops after 1 MB, which large items reach before `limit`. */
  readonly isMore: boolean;
  /** The key where the next page begins. */
  readonly last?: Item;
}

/** One page of a Query. A table is read strongly consistent; an index lags its table by milliseconds. */
export async function queryPage({ client, name }: DynamoTable, range: KeyRange, limit: number): Promise<QueryPage> {
  const { index, partitionKey, partition, backwards = false, isEventual = false, startKey, attributes } = range;
  const sort = sortCondition(range);
  const query = new QueryCommand({
    TableName: name,
    ...(index === undefined ? { ConsistentRead: !isEventual } : { IndexName: index }),
    KeyConditionExpression: `${partitionKey} = :partition${sort.expression}`,
    ExpressionAttributeValues: { ":partition": { S: partition }, ...sort.values },
    ScanIndexForward: !backwards,
    ...(attributes && projectionOf(attributes)),
    ...(startKey && { ExclusiveStartKey: { ...startKey } }),
    Limit: limit,
  });
  return named(name, async () => {
    const { Items = [], LastEvaluatedKey } = await client.send(query);
    return {
      items: Items,
      isMore: LastEvaluatedKey !== undefined,
      ...(LastEvaluatedKey && { last: LastEvaluatedKey }),
    };
  });
}

/** Placeholders, because names of attributes may be reserved words. */
export function projectionOf(attributes: readonly string[]) {
  return {
    ProjectionExpression: attributes.map((attribute) => `#${attribute}`).join(", "),
    ExpressionAttributeNames: Object.fromEntries(attributes.map((attribute) => [`#${attribute}`, attribute])),
  };
}

function sortCondition(range: KeyRange) {
  const { sortKey, after, before, prefix = "" } = range;
  if (before !== undefined && (after !== undefined || prefix === "")) return conditionBefore(sortKey, before, after);
  if (after !== undefined) return conditionAfter(range, after);
  if (prefix === "") return { expression: "", values: {} };
  return { expression: ` AND begins_with(${sortKey}, :prefix)`, values: { ":prefix": { S: prefix } } };
}

function conditionAfter({ sortKey, isInclusive = false, backwards = false }: KeyRange, after: string) {
  const operator = `${backwards ? "<" : ">"}${isInclusive ? "=" : ""}`;
  return { expression: ` AND ${sortKey} ${operator} :after`, values: { ":after": { S: after } } };
}

function conditionBefore(sortKey: string, before: string, after: string | undefined) {
  if (after === undefined) return { expression: ` AND ${sortKey} < :before`, values: { ":before": { S: before } } };
  // BETWEEN includes its bounds. That is correct here, because neither bound can be the key of an item to read.
  const values = { ":after": { S: `${after}\u0000` }, ":before": { S: before } };
  return { expression: ` AND ${sortKey} BETWEEN :after AND :before`, values };
}

/** Runs a request. Its errors name the table. */
export async function named<Result>(table: string, request: () => Promise<Result>): Promise<Result> {
  try {
    return await request();
  } catch (cause) {
    throw awsError(`Table ${table}`, cause);
  }
}

/** The item has the `expected` version; 0 means that it does not exist. */
export function versionIs(expected: number): Condition {
  if (expected === 0) return { expression: "attribute_not_exists(pk)" };
  return { expression: "version = :expected", values: { ":expected": number(expected) } };
}
