import pLimit from "p-limit";
import { usageByGroup } from "../../explain/usage/record-usage.ts";
import { DAY_MILLIS, formatInstant, type Instant } from "../../job/model/instant.ts";
import { outcomeOf } from "../../job/model/outcome.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import type { HourlyUsage } from "../../job/usage/usage.ts";
import { NO_CONTEXT } from "../../projection/job-state/derive-row.ts";
import { type JobView, readJob } from "../../projection/job-state/read-job.ts";
import { type SummaryWithUsage, unpackWithUsage } from "../../projection/job-state/summary-bytes.ts";
import type { Scope } from "../access/scope.ts";
import { matchesRow } from "../list/job-filter.ts";
import type { PlacedRow } from "../list/merged-rows.ts";
import { storedCategories } from "../job/stored-category.ts";
import type { QueryPorts } from "../ports.ts";
import { PodNodes } from "./pod-nodes.ts";
import { isPodGrouping, type UsageGrouping, usageGroupOf } from "./usage-group.ts";
import { readInPages } from "../list/read-in-pages.ts";
import { type NodePart, type UsageQuery, type UsageReport, UsageTallies } from "./usage-report.ts";

/** The most Jobs that one report reads, newest first. */
const MOST_JOBS = 50_000;
/** The most whose Pods it reads. */
const MOST_WITH_PODS = 10_000;
const AT_ONCE = 32;
/** A Job that was created earlier than this before the range is taken to be over by then. */
const LONGEST_MS = 31 * DAY_MILLIS;

/** The report from the rows of the Jobs; by node, category and labels of Nodes, also from their Pods. */
export async function usageOfRows(ports: QueryPorts, scope: Scope, query: UsageQuery): Promise<UsageReport> {
  const { since, until } = query;
  const report = new RowReport(ports, query);
  const bound = needsPods(query) ? MOST_WITH_PODS : MOST_JOBS;
  const filter = { ...query.filter, createdAfter: since - LONGEST_MS, createdBefore: until };
  const read = await readInPages(ports, scope, { filter, bound, add: (rows) => report.add(rows) });
  return { since: formatInstant(since), until: formatInstant(until), ...report.answer(), ...read };
}

function needsPods({ by, nodeLabels }: UsageQuery): boolean {
  return isPodGrouping(by) || nodeLabels !== undefined;
}

class RowReport {
  readonly #ports: QueryPorts;
  readonly #query: UsageQuery;
  readonly #tallies = new UsageTallies();
  readonly #limit = pLimit(AT_ONCE);
  /** Only if the report is divided by labels of Nodes. */
  readonly #nodes: PodNodes | undefined;
  #unknown = 0;

  constructor(ports: QueryPorts, query: UsageQuery) {
    this.#ports = ports;
    this.#query = query;
    this.#nodes = query.nodeLabels && new PodNodes(ports.meta, query.nodeLabels);
  }

  async add(rows: readonly PlacedRow[]): Promise<void> {
    await this.#limit.map(rows, (row) => this.#addRow(row));
  }

  answer(): Omit<UsageReport, "since" | "until" | "complete" | "partial"> {
    const answer = this.#tallies.answer(this.#query);
    return { ...answer, ...(this.#unknown > 0 && { unknown: this.#unknown }) };
  }

  async #addRow(row: PlacedRow): Promise<void> {
    const summary = unpackWithUsage(row.summary);
    const { answer, usage } = summary;
    if (!matchesRow(this.#query.filter, row, answer)) return;
    if (usage === undefined) {
      if (answer.verdict.final && this.#isInRange(row.createdAt)) this.#unknown += 1;
    } else if (needsPods(this.#query)) {
      await this.#addPods(row, summary);
    } else {
      this.#addHours(usage, { answer });
    }
  }

  async #addPods(row: PlacedRow, { answer, usage = new Map() }: SummaryWithUsage): Promise<void> {
    if (![...usage.keys()].some((hour) => this.#isInRange(hour))) return;
    const view = await readJob(this.#ports.jobs, row);
    if (view === undefined) return;
    const places = new PodPlaces(view, row, { by: this.#query.by, nodes: this.#nodes });
    const moment = { clusterContext: NO_CONTEXT, now: Date.parse(answer.asOf.time) };
    const found = await usageByGroup(this.#nodes?.read(row.cluster, view) ?? view, { ...moment, groupOf: places.idOf });
    for (const [id, hours] of found ?? []) this.#addHours(hours, { answer, ...places.at(id) });
  }

  #addHours(hours: HourlyUsage, { answer, group, part }: PodPlace & Pick<SummaryWithUsage, "answer">): void {
    const { by } = this.#query;
    for (const [hour, reserved] of hours) {
      if (!this.#isInRange(hour)) continue;
      this.#tallies.add(by === undefined || isPodGrouping(by) ? group : usageGroupOf(by, answer, hour), reserved, part);
    }
  }

  #isInRange(at: Instant): boolean {
    return at >= this.#query.since && at < this.#query.until;
  }
}

/** Where a Pod counts. */
interface PodPlace {
  /** Its group, if only Pods show the group. */
  readonly group?: string | undefined;
  /** The Nodes, if the report is divided by them. */
  readonly part?: NodePart | undefined;
}

interface PlacedBy {
  readonly by: UsageGrouping | undefined;
  readonly nodes: PodNodes | undefined;
}

/** The places of the Pods of a Job. */
class PodPlaces {
  readonly #placeOf: (pod: PodRecord) => PodPlace;
  readonly #places = new Map<string, PodPlace>();

  constructor(view: JobView, row: PlacedRow, { by, nodes }: PlacedBy) {
    const groupOf = by === "node" ? nodeIn(row) : by === "category" ? failureOf(view) : undefined;
    this.#placeOf = (pod) => ({ group: groupOf?.(pod), part: nodes?.partOf(row.cluster, pod) });
  }

  /** The same text for Pods of the same place. */
  readonly idOf = (pod: PodRecord): string => {
    const place = this.#placeOf(pod);
    const id = JSON.stringify([place.group, place.part?.labels]);
    this.#places.set(id, place);
    return id;
  };

  at(id: string): PodPlace | undefined {
    return this.#places.get(id);
  }
}

/** With the cluster: nodes of two clusters may have one name. */
function nodeIn({ cluster }: PlacedRow): (pod: PodRecord) => string {
  return ({ scheduled }) => (scheduled === undefined ? "" : `${cluster}/${scheduled.node}`);
}

/** Empty for a Pod that did not fail. */
function failureOf(view: JobView): (pod: PodRecord) => string {
  const categoryOf = storedCategories(view);
  return (pod) => (outcomeOf(pod) === "Failed" ? categoryOf(pod) : "");
}
