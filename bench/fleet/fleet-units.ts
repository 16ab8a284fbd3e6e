import type { Meter, MeteredPut } from "../dynamodb/meter.ts";
import { isRecordPartition } from "../../src/adapters/dynamodb/jobs/list-partition.ts";
import { type FleetTable, TABLES } from "./monthly-bill.ts";
import type { KeyLoad } from "./reference-fleet.ts";

/** What write units are spent on. */
export type Purpose =
  | "log"
  | "state"
  | "indexes"
  | "lists"
  | "runs"
  | "indexes of runs"
  | "hints"
  | "CronJob records"
  | "changes"
  | "counts"
  | "other records"
  | "refused puts";

/** Adds up the write units of a run by purpose and cluster, and by partition key. */
export class FleetUnits {
  readonly #names: ReadonlyMap<string, FleetTable>;
  readonly #byPurpose = new Map<string, number>();
  /** Of states of Jobs with their index entries, by partition key. */
  readonly #byJob = new Map<string, number>();
  readonly #byKey = new Map<string, { readonly table: string; readonly key: string; units: number }>();

  constructor(meter: Meter, names: Readonly<Record<FleetTable, string>>) {
    this.#names = new Map(TABLES.map((table) => [names[table], table]));
    meter.onPut = (put) => this.#note(put);
  }

  /** Write units of one cluster for one purpose. */
  of(cluster: string, purpose: Purpose): number {
    return this.#byPurpose.get(`${cluster} ${purpose}`) ?? 0;
  }

  /** Write units of the states and index entries of these Jobs, by their partition keys. */
  ofJobs(keys: readonly string[]): number {
    return keys.reduce((sum, pk) => sum + (this.#byJob.get(pk) ?? 0), 0);
  }

  /** Begins to count anew. */
  reset(): void {
    this.#byJob.clear();
    this.#byPurpose.clear();
    this.#byKey.clear();
  }

  /** Units of packs. */
  addToLog(cluster: string, units: number): void {
    this.#add(cluster, "log", units);
  }

  /** Units of records that belong to no cluster. */
  shared(purpose: Purpose): number {
    return this.of("", purpose);
  }

  /** The load of each partition key of the log, of the records and of the indexes. A Job has a key of its own. */
  get keys(): readonly KeyLoad[] {
    return [...this.#byKey.values()];
  }

  #note(put: MeteredPut): void {
    const name = this.#names.get(put.table);
    const cluster = /fleet-\d+/.exec(`${put.pk} ${put.sk}`)?.[0] ?? "";
    if (name === "runs") this.#noteRun(cluster, put);
    else if (name !== undefined) this.#noteItem(name, cluster, put);
  }

  #noteItem(name: Exclude<FleetTable, "runs">, cluster: string, { pk, own, isRefused, entries }: MeteredPut): void {
    const purpose = isRefused ? "refused puts" : purposeOf(name, pk);
    // The units of a pack are shared among its clusters.
    if (purpose !== "log") this.#add(cluster, purpose, own);
    if (name !== "jobs" || purpose === "lists") this.#addKey(name, pk, own);
    this.#add(cluster, "indexes", entries.length);
    for (const { index, partition } of entries) this.#addKey(`index ${index}`, partition, 1);
    if (purpose === "state") this.#byJob.set(pk, (this.#byJob.get(pk) ?? 0) + own + entries.length);
  }

  /** A run has a key of its own, as a Job does. */
  #noteRun(cluster: string, { own, entries }: Pick<MeteredPut, "own" | "entries">): void {
    this.#add(cluster, "runs", own);
    this.#add(cluster, "indexes of runs", entries.length);
    for (const { index, partition } of entries) this.#addKey(`index ${index} of runs`, partition, 1);
  }

  #add(cluster: string, purpose: Purpose, units: number): void {
    this.#byPurpose.set(`${cluster} ${purpose}`, this.of(cluster, purpose) + units);
  }

  #addKey(table: string, key: string, units: number): void {
    const id = `${table} ${key}`;
    const known = this.#byKey.get(id);
    if (known === undefined) this.#byKey.set(id, { table, key, units });
    else known.units += units;
  }
}

export const PURPOSES: readonly Purpose[] = [
  "log",
  "state",
  "indexes",
  "lists",
  "runs",
  "indexes of runs",
  "hints",
  "CronJob records",
  "changes",
  "counts",
  "other records",
  "refused puts",
];

function purposeOf(table: Exclude<FleetTable, "runs">, pk: string): Purpose {
  if (table === "log") return "log";
  if (table === "jobs") return isRecordPartition(pk) ? "lists" : "state";
  const [kind] = pk.split("#");
  if (kind === "hints") return "hints";
  if (kind === "changes") return "changes";
  if (kind === "counts" || kind === "countBatch" || kind === "metrics") return "counts";
  return kind === "cronjob" ? "CronJob records" : "other records";
}
