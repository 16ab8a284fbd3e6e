import type { Instant } from "../../../job/model/instant.ts";
import { type Item, textOf } from "../attribute.ts";
import { requireFit } from "../item-size.ts";
import { type DynamoTable, putItem, versionIs } from "../dynamo-table.ts";
import { decodeCreated } from "./created-key.ts";
import type { Entry } from "./partition-reader.ts";
import { timeToLive } from "./job-item.ts";
import { fromWideRecord, MOST_JOBS, newestOf, WIDE_RECORD_MS, wideRecordExpiry } from "./wide-record.ts";

interface Waiting {
  readonly job: Entry;
  readonly createdAt: Instant;
  readonly done: (failed?: { readonly cause: unknown }) => void;
}

/**
 * Writes new Jobs into records of the wide lists, before their states. If a projector is killed in between, a record
 * has a Job without a state, which no list shows. Jobs that are written in the same turn of the event loop share
 * records: a projector announces the changes of a batch together (src/projection/changes/change-announcer.ts), and
 * then writes its states at once.
 */
export class WideRecordWriter {
  readonly #table: DynamoTable;
  readonly #retentionDays: number;
  readonly #waiting: Waiting[] = [];

  constructor(table: DynamoTable, retentionDays: number) {
    this.#table = table;
    this.#retentionDays = retentionDays;
  }

  /** Resolves when a record has the Job of a new state, if the state is listed and has no index entry. */
  async addIfListed(item: Item): Promise<void> {
    if (item["createdSk"] === undefined || item["widePk"] !== undefined) return;
    requireFit(this.#table.name, item);
    const job = { pk: textOf(item, "pk"), created: textOf(item, "createdSk") };
    const { createdAt } = decodeCreated(job.created);
    await new Promise<void>((resolve, reject) => {
      const done: Waiting["done"] = (failed) => (failed === undefined ? resolve() : reject(failed.cause));
      this.#waiting.push({ job, createdAt, done });
      if (this.#waiting.length === 1) setImmediate(() => this.#flush());
    });
  }

  #flush(): void {
    for (const group of groupsOf(this.#waiting.splice(0))) void this.#write(group);
  }

  async #write(group: readonly Waiting[]): Promise<void> {
    try {
      const item = fromWideRecord(group.map(({ job }) => job));
      const ttl = timeToLive(wideRecordExpiry(newestOf(item), this.#retentionDays));
      // An existing record has the same Jobs.
      await putItem(this.#table, { ...item, ttl }, versionIs(0));
      for (const { done } of group) done();
    } catch (cause) {
      // Each Job fails separately: its segments are projected again.
      for (const { done } of group) done({ cause });
    }
  }
}

/** Jobs that were created within {@link WIDE_RECORD_MS}, in records of {@link MOST_JOBS}. */
function groupsOf(waiting: readonly Waiting[]): readonly (readonly Waiting[])[] {
  const groups: Waiting[][] = [];
  for (const one of waiting.toSorted((a, b) => b.createdAt - a.createdAt)) {
    const group = groups.at(-1);
    const [newest] = group ?? [];
    const fits = newest !== undefined && newest.createdAt - one.createdAt <= WIDE_RECORD_MS;
    if (group !== undefined && fits && group.length < MOST_JOBS) group.push(one);
    else groups.push([one]);
  }
  return groups;
}
