import pLimit from "p-limit";
import type { JobAnswer } from "../../explain/answer-document.ts";
import { usageByGroup } from "../../explain/usage/record-usage.ts";
import { DAY_MILLIS, formatInstant, type Instant } from "../../job/model/instant.ts";
import { outcomeOf } from "../../job/model/outcome.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import type { UsageByGroup } from "../../job/usage/usage.ts";
import { NO_CONTEXT } from "../../projection/job-state/derive-row.ts";
import { type JobView, readJob } from "../../projection/job-state/read-job.ts";
import { type SummaryWithUsage, unpackWithUsage } from "../../projection/job-state/summary-bytes.ts";
import type { Scope } from "../access/scope.ts";
import { matchesRow } from "../list/job-filter.ts";
import type { PlacedRow } from "../list/merged-rows.ts";
import { storedCategories } from "../job/stored-category.ts";
import type { QueryPorts } from "../ports.ts";
import { isPodGrouping, type PodGrouping, type UsageGrouping, usageGroupOf } from "./usage-group.ts";
import { readInPages } from "../list/read-in-pages.ts";
import { type UsageQuery, type UsageReport, UsageTallies } from "./usage-report.ts";

/** The most Jobs that one report reads, newest first. */
const MOST_JOBS = 50_000;
/** The most whose Pods it reads. */
const MOST_WITH_PODS = 10_000;
const AT_ONCE = 32;
/** A Job that was created earlier than this before the range is taken to be over by then. */
const LONGEST_MS = 31 * DAY_MILLIS;

/** The report from the rows of the Jobs; by node and category, also from their Pods. */
export async function usageOfRows(ports: QueryPorts, scope: Scope, query: UsageQuery): Promise<UsageReport> {
  const { by, since, until } = query;
  const report = new RowReport(ports, query);
  const bound = isPodGrouping(by) ? MOST_WITH_PODS : MOST_JOBS;
  const filter = { ...query.filter, createdAfter: since - LONGEST_MS, createdBefore: until };
  const read = await readInPages(ports, scope, { filter, bound, add: (rows) => report.add(rows) });
  return { since: formatInstant(since), until: formatInstant(until), ...report.answer(), ...read };
}

class RowReport {
  readonly #ports: QueryPorts;
  readonly #query: UsageQuery;
  readonly #tallies = new UsageTallies();
  readonly #limit = pLimit(AT_ONCE);
  #unknown = 0;

  constructor(ports: QueryPorts, query: UsageQuery) {
    this.#ports = ports;
    this.#query = query;
  }

  async add(rows: readonly PlacedRow[]): Promise<void> {
    await this.#limit.map(rows, (row) => this.#addRow(row));
  }

  answer(): Pick<UsageReport, "usage" | "groups" | "groupsOmitted" | "unknown"> {
    const answer = this.#tallies.answer(this.#query);
    return { ...answer, ...(this.#unknown > 0 && { unknown: this.#unknown }) };
  }

  async #addRow(row: PlacedRow): Promise<void> {
    const summary = unpackWithUsage(row.summary);
    const { answer, usage } = summary;
    if (!matchesRow(this.#query.filter, row, answer)) return;
    if (usage === undefined) {
      if (answer.verdict.final && this.#isInRange(row.createdAt)) this.#unknown += 1;
    } else if (isPodGrouping(this.#query.by)) {
      await this.#addPods(row, this.#query.by, summary);
    } else {
      this.#addHours(summary, this.#query.by);
    }
  }

  #addHours(
    { answer, usage = new Map() }: SummaryWithUsage,
    by: Exclude<UsageGrouping, PodGrouping> | undefined,
  ): void {
    for (const [hour, reserved] of usage) {
      if (this.#isInRange(hour)) this.#tallies.add(by && usageGroupOf(by, answer, hour), reserved);
    }
  }

  async #addPods(row: PlacedRow, by: PodGrouping, { answer, usage = new Map() }: SummaryWithUsage): Promise<void> {
    if (![...usage.keys()].some((hour) => this.#isInRange(hour))) return;
    const groups = await usageOfPods(this.#ports, { row, by, asOf: answer.asOf });
    for (const [key, hours] of groups ?? []) {
      for (const [hour, reserved] of hours) if (this.#isInRange(hour)) this.#tallies.add(key, reserved);
    }
  }

  #isInRange(at: Instant): boolean {
    return at >= this.#query.since && at < this.#query.until;
  }
}

interface PodsOfRow extends Pick<JobAnswer, "asOf"> {
  readonly row: PlacedRow;
  readonly by: PodGrouping;
}

/** What the Pods of a Job reserved, by the node that they ran on, or the category of their failure. */
async function usageOfPods({ jobs }: QueryPorts, { row, by, asOf }: PodsOfRow): Promise<UsageByGroup | undefined> {
  const view = await readJob(jobs, row);
  if (view === undefined) return undefined;
  const moment = { clusterContext: NO_CONTEXT, now: Date.parse(asOf.time) };
  return usageByGroup(view, { ...moment, groupOf: by === "node" ? nodeIn(row) : failureOf(view) });
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
