import { type ConsumedCapacity, ConditionalCheckFailedException, type DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Item } from "../../src/adapters/dynamodb/attribute.ts";
import { itemBytes } from "../../src/adapters/dynamodb/item-size.ts";
import type { IndexSchema, TableSchema } from "../../src/ports/deployment/tables.ts";

/** The consumption of requests per table. */
export interface Units {
  /** Write units of items. */
  readonly table: number;
  /** Write units of index entries. */
  readonly indexes: number;
  /** Write units of refused puts by the published formula, because DynamoDB Local does not report them. */
  readonly refused: number;
  readonly read: number;
  /**
   * The same as AWS bills it: at least half a unit for each request. DynamoDB Local reports none for an empty query.
   */
  readonly billedRead: number;
  readonly writes: number;
  /** Read requests. */
  readonly reads: number;
}

/** Write units of one put, by the published formula. */
export interface MeteredPut {
  readonly table: string;
  readonly pk: string;
  readonly sk: string;
  /** Units of the item, or of the refused put. */
  readonly own: number;
  readonly isRefused: boolean;
  /** Index entries that were added or removed. Each takes one unit of its partition. */
  readonly entries: readonly { readonly index: string; readonly partition: string }[];
}

/** The least that AWS bills for an eventually consistent read. */
const LEAST_READ = 0.5;
const NONE: Units = { table: 0, indexes: 0, refused: 0, read: 0, billedRead: 0, writes: 0, reads: 0 };

/**
 * Adds up the consumption that DynamoDB reports (`ReturnConsumedCapacity`), and compares each put with the published
 * formula: one unit per started KB of the larger item before and after. An index entry takes one unit if it is added or
 * removed, two if its key changes, and none if it is unchanged.
 */
export class Meter {
  readonly items = new Map<string, Item>();
  /** Puts whose units differ from the formula, although a number may have one byte more. */
  mismatches = 0;
  /** Called for each put. */
  onPut: ((put: MeteredPut) => void) | undefined;
  /** Bytes of each item that was put into the tables of Jobs. */
  readonly stateSizes: number[] = [];
  readonly #schemas = new Map<string, TableSchema>();
  #units = new Map<string, Units>();

  know(table: string, schema: TableSchema): void {
    this.#schemas.set(table, schema);
  }

  /** The consumption of `table` since the last {@link reset}. */
  of(table: string): Units {
    return this.#units.get(table) ?? NONE;
  }

  /** The consumption of all tables since the last {@link reset}. */
  total(): Units {
    return [...this.#units.values()].reduce((sum, units) => plus(sum, units), NONE);
  }

  reset(): void {
    this.#units = new Map();
  }

  attach(client: DynamoDBClient): DynamoDBClient {
    client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          const input = args.input as { ReturnConsumedCapacity?: "INDEXES"; TableName?: string; Item?: Item };
          input.ReturnConsumedCapacity = "INDEXES";
          try {
            const result = await next(args);
            const { ConsumedCapacity } = result.output as { ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] };
            for (const consumed of [ConsumedCapacity ?? []].flat()) this.#note(commandName ?? "", input, consumed);
            return result;
          } catch (error) {
            if (error instanceof ConditionalCheckFailedException) this.#noteRefused(input);
            throw error;
          }
        },
      { step: "initialize", name: "meter" },
    );
    return client;
  }

  #note(command: string, input: { readonly Item?: Item }, consumed: ConsumedCapacity): void {
    const { TableName: table = "", Table, GlobalSecondaryIndexes = {}, CapacityUnits = 0 } = consumed;
    if (!/^(Put|Update|Delete|BatchWrite|TransactWrite)/.test(command)) {
      this.#add(table, {
        read: CapacityUnits,
        billedRead: Math.max(LEAST_READ, CapacityUnits),
        reads: 1,
      });
      return;
    }
    const own = Table?.CapacityUnits ?? 0;
    const indexes = Object.values(GlobalSecondaryIndexes).reduce((sum, { CapacityUnits: one = 0 }) => sum + one, 0);
    this.#add(table, { table: own, indexes, writes: 1 });
    if (input.Item !== undefined) this.#check(table, input.Item, { own, indexes });
  }

  #check(table: string, item: Item, reported: { readonly own: number; readonly indexes: number }): void {
    const schema = this.#schemas.get(table);
    const { pk, sk } = keyOf(item);
    const before = this.items.get(`${table} ${pk} ${sk}`);
    this.items.set(`${table} ${pk} ${sk}`, item);
    if (schema === undefined) return;
    if (schema.indexes.length > 0 && sk === "S") this.stateSizes.push(itemBytes(item));
    const own = Math.max(unitsOf(item), before === undefined ? 0 : unitsOf(before));
    const most = Math.max(mostUnitsOf(item), before === undefined ? 0 : mostUnitsOf(before));
    const entries = schema.indexes.flatMap((index) => entriesOf(index, before, item));
    const isOwn = own <= reported.own && reported.own <= most;
    if (!isOwn || entries.length !== reported.indexes) this.mismatches += 1;
    this.onPut?.({ table, pk, sk, own: reported.own, isRefused: false, entries });
  }

  /** A refused put consumes the units of the existing item. */
  #noteRefused({ TableName = "", Item: item }: { readonly TableName?: string; readonly Item?: Item }): void {
    const standing = this.items.get(`${TableName} ${item?.["pk"]?.S} ${item?.["sk"]?.S}`);
    const refused = standing === undefined ? 1 : unitsOf(standing);
    this.#add(TableName, { refused });
    const put = { table: TableName, ...keyOf(item ?? {}), own: refused, entries: [] };
    this.onPut?.({ ...put, isRefused: true });
  }

  #add(table: string, more: Partial<Units>): void {
    this.#units.set(table, plus(this.of(table), more));
  }
}

function plus(known: Units, more: Partial<Units>): Units {
  return {
    table: known.table + (more.table ?? 0),
    indexes: known.indexes + (more.indexes ?? 0),
    refused: known.refused + (more.refused ?? 0),
    read: known.read + (more.read ?? 0),
    billedRead: known.billedRead + (more.billedRead ?? 0),
    writes: known.writes + (more.writes ?? 0),
    reads: known.reads + (more.reads ?? 0),
  };
}

function keyOf(item: Item): { readonly pk: string; readonly sk: string } {
  return { pk: item["pk"]?.S ?? "", sk: item["sk"]?.S ?? "" };
}

function unitsOf(item: Item): number {
  return Math.ceil(itemBytes(item) / 1024);
}

/** The published size of a number is approximate (Developer Guide): it may have a byte more. */
function mostUnitsOf(item: Item): number {
  const numbers = Object.values(item).filter(({ N: digits }) => digits !== undefined).length;
  return Math.ceil((itemBytes(item) + numbers) / 1024);
}

/** The entries that a put removes and adds, with their partitions. */
function entriesOf(index: IndexSchema, before: Item | undefined, after: Item): MeteredPut["entries"] {
  const [was, is] = [before && entryOf(index, before), entryOf(index, after)];
  if (was === is) return [];
  const partitionOf = (item: Item | undefined) => item?.[index.partitionKey]?.S ?? "";
  return [
    ...(was === undefined ? [] : [{ index: index.name, partition: partitionOf(before) }]),
    ...(is === undefined ? [] : [{ index: index.name, partition: partitionOf(after) }]),
  ];
}

/** The keys of an index entry, which are far below 1 KB. */
function entryOf({ partitionKey, sortKey }: IndexSchema, item: Item): string | undefined {
  const [partition, sort] = [item[partitionKey]?.S, item[sortKey]?.S];
  return partition === undefined || sort === undefined ? undefined : `${partition} ${sort}`;
}
