import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { batchRetry } from "../../aws/batch-retry.ts";
import type { Retry } from "../../../ports/concurrency/retry.ts";
import type { JobStore, ListOptions } from "../../../ports/jobs.ts";
import { EARLIEST } from "../../../job/model/instant.ts";
import type { StoredCoverage, WideLists } from "../../../ports/wide-lists.ts";
import { type JobRetention, pageExpiry, uniformRetention } from "../../../ports/expiry/job-expiry.ts";
import { type DynamoTable, getItem, putItem, versionIs } from "../dynamo-table.ts";
import { fromJobState, fromPage, pageKey, stateKey, timeToLive, toPage, toStoredJob } from "./job-item.ts";
import { readList, readNames, readWideList } from "./job-lists.ts";
import {
  attentionPartitions,
  earlierLivePartitions,
  listPartitions,
  namePk,
  samplePartitions,
  widePartitions,
} from "./list-partition.ts";
import type { JobList } from "./merge-entries.ts";
import { readCoverage, writeCoverage } from "./wide-coverage.ts";
import { mayBeRecorded } from "./wide-record.ts";
import { WideRecordWriter } from "./wide-record-writer.ts";

export interface DynamoJobStoreOptions {
  readonly table: string;
  /** For how many days a Job is kept after it ended. */
  readonly retentionDays: number;
  /**
   * How long the Jobs of each cluster and namespace are kept. Called before each write. @default `retentionDays` for
   * all
   */
  readonly retention?: () => Promise<JobRetention>;
  /** For what DynamoDB leaves unprocessed of a batch. @default batchRetry() */
  readonly retry?: Retry;
  /** @default Date.now */
  readonly now?: () => number;
  /**
   * What is stored. Runs have no earlier form, and their creation may turn out to be earlier: they are in no record of
   * several Jobs. @default "jobs"
   */
  readonly content?: "jobs" | "runs";
}

/** One projection of Jobs in a DynamoDB table (docs/decisions/0011-dynamodb-tables.md). */
export function createDynamoJobStore(client: DynamoDBClient, options: DynamoJobStoreOptions): JobStore {
  const { table: name, retry = batchRetry(), now = Date.now, content = "jobs" } = options;
  const isOfJobs = content === "jobs";
  const retention = retentionOf(options);
  const table: DynamoTable = { client, name };
  const records = new WideRecordWriter(table, options.retentionDays);
  const page = (list: JobList, listed: ListOptions) => readList(table, list, { options: listed, retry });
  // Once true, it stays true, because a replay corrects the table as well.
  let isConverted = !isOfJobs;
  return {
    read: async (key) => {
      const item = await getItem(table, stateKey(key));
      return item && toStoredJob(item);
    },
    write: async (key, state, expected) => {
      const version = expected + 1;
      const written = { version, retention: await retention(), now: now() };
      const isRecorded = isOfJobs && mayBeRecorded(key, state, { ...written, retentionDays: options.retentionDays });
      const item = fromJobState(key, state, { ...written, isRecorded });
      if (expected === 0 && isOfJobs) await records.addIfListed(item);
      const put = await putItem(table, item, versionIs(expected));
      return put.outcome === "written" ? { outcome: "written", version } : { outcome: "conflict" };
    },
    list: async (namespace, listed) => {
      isConverted ||= (await readCoverage(table))?.isConverted === true;
      const earlier = isConverted ? [] : earlierLivePartitions(namespace);
      return page({ index: "list", partitions: [...earlier, ...listPartitions(namespace)] }, listed);
    },
    listLive: (namespace, listed) => page({ index: "list", partitions: earlierLivePartitions(namespace) }, listed),
    listByName: (named, listed) => page({ index: "name", partitions: [namePk(named)] }, listed),
    sampleNames: (namespace, limit) =>
      readNames(table, { index: "list", partitions: samplePartitions(namespace) }, { limit, retry }),
    listAttention: ({ cluster }, listed) =>
      page({ index: "attention", partitions: attentionPartitions(cluster) }, listed),
    wide: { ...wideLists(table, retry), ...(!isOfJobs && { readCoverage: async () => ALL }) },
    ...pageStore(table, { retention, now }),
  };
}

/** The lists have every run, and no sweep moves any. */
const ALL: StoredCoverage = { since: EARLIEST, sweptTo: EARLIEST, isConverted: true, version: 0 };

function wideLists(table: DynamoTable, retry: Retry): WideLists {
  return {
    partitions: (classes) => classes.flatMap(widePartitions),
    list: (partitions, listed) => readWideList(table, partitions, { options: listed, retry }),
    readCoverage: () => readCoverage(table),
    writeCoverage: (coverage, expected) => writeCoverage(table, coverage, expected),
  };
}

export function retentionOf({
  retentionDays,
  retention,
}: Pick<DynamoJobStoreOptions, "retentionDays" | "retention">): () => Promise<JobRetention> {
  const uniform = uniformRetention(retentionDays);
  return retention ?? (async () => uniform);
}

type PageOptions = Required<Pick<DynamoJobStoreOptions, "retention" | "now">>;

/** The pages of large Jobs. */
function pageStore(table: DynamoTable, { retention, now }: PageOptions): Pick<JobStore, "writePage" | "readPage"> {
  return {
    writePage: async (key, hash, bytes) => {
      const { expiresAt, isDueBefore } = pageExpiry(key, await retention(), now());
      const item = fromPage(pageKey(key, hash), bytes, expiresAt);
      // A page with this name has the same bytes. It is rewritten only to extend its expiry.
      await putItem(table, item, {
        expression: "attribute_not_exists(pk) OR #ttl < :soon",
        names: { "#ttl": "ttl" },
        values: { ":soon": timeToLive(isDueBefore) },
      });
    },
    readPage: async (key, hash) => {
      const item = await getItem(table, pageKey(key, hash));
      return item && toPage(item);
    },
  };
}
