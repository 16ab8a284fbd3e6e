import { createHash } from "node:crypto";
import { ConditionalCheckFailedException, DeleteItemCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import { EARLIEST } from "../../../job/model/instant.ts";
import type { IdleJobs, ScannedPage, ScannedPart, StoredEntry } from "../../../ports/projections.ts";
import { keptUntil, type JobRetention } from "../../../ports/expiry/job-expiry.ts";
import type { JobKey, StateStore } from "../../../ports/jobs.ts";
import { bytes, bytesOf, type Item, number, textOf } from "../attribute.ts";
import { type DynamoTable, getItem, type ItemKey, keyOf, named } from "../dynamo-table.ts";
import { decodeCreated } from "./created-key.ts";
import { fromJobState, keyOfState, stateKey, toState, toStoredJob, toRow } from "./job-item.ts";
import { isRecordPartition, wideClassOf } from "./list-partition.ts";
import { readableRecord } from "./wide-record.ts";
import { COVERAGE_KEY, readCoverage, writeCoverage } from "./wide-coverage.ts";

export interface IdleJobsOptions {
  readonly retention: () => Promise<JobRetention>;
  readonly now: () => number;
  readonly states: StateStore;
}

/** The idle table of Jobs, whose items a replay compares with what they must be. */
export function createDynamoIdleJobs(table: DynamoTable, { retention, now, states }: IdleJobsOptions): IdleJobs {
  return {
    read: (key) => states.read(key),
    write: (key, state, expected) => states.write(key, state, expected),
    readPage: (key, hash) => states.readPage(key, hash),
    writePage: (key, hash, bytes) => states.writePage(key, hash, bytes),
    // Every state is compared with what is written now, which reaches the wide lists, and the class of its age.
    begin: async () => {
      const known = await readCoverage(table);
      const coverage = { since: EARLIEST, sweptTo: now(), isConverted: true };
      await writeCoverage(table, coverage, known?.version ?? 0);
    },
    scan: (part, after) => scanStates(table, part, after),
    find: async (key) => {
      const item = await getItem(table, stateKey(key));
      if (item === undefined) return undefined;
      const { summary } = toRow(item) ?? {};
      return { ...entryOf(item), bytes: toState(item).bytes, ...(summary && { summary }) };
    },
    entryOf: async (key, state) => {
      const rules = await retention();
      const digest = digestOf(fromJobState(key, state, { version: 0, retention: rules, now: now() }));
      if (state.row?.phase !== "F") return { digest };
      const { namespace, name, createdAt, endedAt = createdAt, jobNames } = state.row;
      return { digest, keptUntil: keptUntil({ cluster: key.cluster, namespace, name, endedAt, jobNames }, rules) };
    },
    remove: (key, found) =>
      removeIf(table, stateKey(key), {
        version: number(found.version),
        state: bytes(found.bytes),
        ...(found.summary && { summary: bytes(found.summary) }),
      }),
  };
}

/** A page of a scan has 1 MB. A strongly consistent one costs one read unit per 4 KB. */
async function* scanStates(table: DynamoTable, part: ScannedPart, after?: string): AsyncGenerator<ScannedPage> {
  let from: Item | undefined = after === undefined ? undefined : keyOf(decodePlace(after));
  do {
    const scan = new ScanCommand({
      TableName: table.name,
      ConsistentRead: true,
      Segment: part.index,
      TotalSegments: part.of,
      ...(from && { ExclusiveStartKey: { ...from } }),
    });
    const { Items = [], LastEvaluatedKey } = await named(table.name, () => table.client.send(scan));
    for (const item of Items) if (isUseless(item)) await removeIf(table, keyOfItem(item), contentOf(item));
    const last = Items.at(-1);
    if (last !== undefined) yield { entries: entriesOf(Items), place: encodePlace(LastEvaluatedKey ?? last) };
    from = LastEvaluatedKey;
  } while (from !== undefined);
}

function entriesOf(items: readonly Item[]): ScannedPage["entries"] {
  return items.flatMap((item) => {
    if (isRecord(item)) return recordedIn(item);
    const key = keyOfReadable(item);
    return key === undefined ? [] : [[key, entryOf(item)] as const];
  });
}

/** The Job of a state; `undefined` for another item, and for a state without a version, which no write replaces. */
function keyOfReadable(item: Item): JobKey | undefined {
  const { pk, sk } = keyOfItem(item);
  const { version } = toState(item);
  return sk === "S" && Number.isSafeInteger(version) && version > 0 ? keyOfState(pk) : undefined;
}

/** The Jobs of a record of the wide lists. */
function recordedIn(item: Item): ScannedPage["entries"] {
  return readableRecord(item).flatMap(({ pk, created }) => {
    const key = keyOfState(pk);
    const { createdAt: recordedAt } = decodeCreated(created);
    return key === undefined ? [] : [[key, { version: 0, digest: new Uint8Array(), recordedAt }] as const];
  });
}

function isRecord(item: Item): boolean {
  return isRecordPartition(keyOfItem(item).pk);
}

/** A page without the content that its name states, an item that no Job has, or one that cannot be read. */
function isUseless(item: Item): boolean {
  const { pk, sk } = keyOfItem(item);
  if (pk === COVERAGE_KEY.pk && sk === COVERAGE_KEY.sk) return false;
  if (isRecord(item)) return readableRecord(item).length === 0;
  if (!sk.startsWith("P#")) return keyOfReadable(item) === undefined;
  return createHash("sha256").update(bytesOf(item, "page")).digest("hex") !== sk.slice("P#".length);
}

/** What a page is deleted by: a projector may have written it again with the right content. */
function contentOf({ pk, page }: Item): Item {
  return { ...(pk && { pk }), ...(page && { page }) };
}

function keyOfItem(item: Item): ItemKey {
  return { pk: textOf(item, "pk"), sk: textOf(item, "sk") };
}

function encodePlace(key: Item): string {
  const { pk, sk } = keyOfItem(key);
  return JSON.stringify([pk, sk]);
}

function decodePlace(place: string): ItemKey {
  const [pk, sk] = JSON.parse(place) as [string, string];
  return { pk, sk };
}

function entryOf(item: Item): StoredEntry {
  const { version, recordedAt } = toStoredJob(item);
  return { version, digest: digestOf(item), ...(recordedAt !== undefined && { recordedAt }) };
}

const DIGEST_BYTES = 16;

/**
 * Of everything that follows from the log: not of the version, nor of the expiry, but of whether the item expires. A
 * Job of class `O` is in a record or in the index, which is the same to lists.
 */
function digestOf(item: Item): Uint8Array {
  const digest = createHash("sha256");
  for (const name of Object.keys(item).toSorted()) {
    if (name === "version" || (name === "widePk" && wideClassOf(textOf(item, name)) === "O")) continue;
    const { S, N, B } = item[name] ?? {};
    const value = name === "ttl" ? "" : (B ?? S ?? N ?? JSON.stringify(item[name]));
    digest.update(`${name} ${value.length} `).update(value);
  }
  return digest.digest().subarray(0, DIGEST_BYTES);
}

/** Deletes an item that still has these attributes. */
async function removeIf(table: DynamoTable, key: ItemKey, content: Item): Promise<"removed" | "conflict"> {
  const attributes = Object.entries(content);
  const remove = new DeleteItemCommand({
    TableName: table.name,
    Key: keyOf(key),
    ConditionExpression: attributes.map((_, index) => `#n${index} = :v${index}`).join(" AND "),
    ExpressionAttributeNames: Object.fromEntries(attributes.map(([name], index) => [`#n${index}`, name])),
    ExpressionAttributeValues: Object.fromEntries(attributes.map(([, value], index) => [`:v${index}`, value])),
  });
  return named(table.name, async () => {
    try {
      await table.client.send(remove);
      return "removed";
    } catch (cause) {
      if (!(cause instanceof ConditionalCheckFailedException)) throw cause;
      return "conflict";
    }
  });
}
