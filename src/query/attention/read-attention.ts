import { SEVERITIES } from "../../explain/attention/severity.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import { readSummary } from "../../projection/job-state/summary-bytes.ts";
import type { Scope } from "../access/scope.ts";
import { type JobFilter, matchesRow } from "../list/job-filter.ts";
import type { LabelSelector } from "../list/label-selector.ts";
import type { PlacedRow } from "../list/merged-rows.ts";
import { comparePlaces, pageOfItems, type Paged, type PageQuery, type Place } from "../list/page.ts";
import { readInPages } from "../list/read-in-pages.ts";
import type { QueryPorts } from "../ports.ts";
import type { AttentionAnswer, AttentionEntry } from "./attention.ts";
import { readAcknowledgements, withAcknowledgement } from "./acknowledgements.ts";
import { AttentionGroups, partOfJob } from "./attention-groups.ts";
import { cronAttention } from "./cron-attention.ts";
import { groupEntries } from "./group-entries.ts";
import { withOutcomes } from "./group-outcomes.ts";
import { olderLiveRows } from "./older-live-rows.ts";

export interface AttentionQuery extends PageQuery, Pick<JobFilter, "cluster" | "namespace"> {
  readonly labels?: LabelSelector | undefined;
  /** Only entries that a Job came into at this instant or later, and all that are at risk. */
  readonly since: Instant;
  /** `since` as the reader wrote it, which stays the same for every page. */
  readonly written?: unknown;
  readonly now: Instant;
}

type Found = Omit<AttentionAnswer, "nextCursor">;

/** The most Jobs that one answer reads, newest first. */
const MAX_JOBS = 1_000;

/** One page of what needs attention. Every page reads the same rows. */
export async function readAttention(
  ports: QueryPorts,
  scope: Scope,
  query: AttentionQuery,
): Promise<{ readonly page: Paged<AttentionEntry>; readonly found: Found }> {
  const { cluster, namespace, labels, since, written = since } = query;
  const found = await findAttention(ports, scope, query);
  const items = found.items.filter(
    ({ severity, latestAt }) => severity === "atRisk" || (parseInstant(latestAt) ?? 0) >= since,
  );
  const question = { attention: [cluster, namespace, labels, written] };
  const older = found.items.length - items.length;
  return { page: pageOfItems({ items, question, placeOf }, query), found: { ...found, ...(older > 0 && { older }) } };
}

/** The entry with this id, however old. */
export async function entryWithId(
  ports: QueryPorts,
  scope: Scope,
  { id, ...place }: EntryPlace,
): Promise<AttentionEntry | undefined> {
  const { items } = await findAttention(ports, scope, place);
  return items.find((entry) => entry.id === id);
}

interface EntryPlace extends Pick<AttentionQuery, "now"> {
  readonly cluster: ClusterName;
  readonly namespace: string;
  readonly id: string;
}

/** Everything that needs attention, in order. */
async function findAttention(
  ports: QueryPorts,
  scope: Scope,
  { cluster, namespace, labels, now }: Omit<AttentionQuery, keyof PageQuery | "since">,
): Promise<Found> {
  const filter: JobFilter = { cluster, namespace, labels, attention: true };
  const groups = new AttentionGroups();
  const add = async (rows: readonly PlacedRow[]) => {
    for (const row of rows) {
      const job = readSummary(row);
      if (matchesRow(filter, row, job)) groups.add(partOfJob(job, { isOver: row.phase === "F", now }));
    }
  };
  const { complete, partial } = await readInPages(ports, scope, { filter, bound: MAX_JOBS, add });
  const readTo = parseInstant(partial?.since);
  if (readTo !== undefined) await add(await olderLiveRows(ports, scope, { filter, before: readTo }));
  const cron = await cronAttention(ports, scope, { cluster, namespace, now });
  // A CronJob has no labels here, but its Jobs have.
  for (const part of cron.parts) if (labels === undefined || groups.hasGroupOf(part)) groups.add(part);
  const known = await readAcknowledgements(ports.meta, { cluster, now });
  const entries = (await withOutcomes(ports, scope, groups.all))
    .flatMap(groupEntries)
    .map((entry) => withAcknowledgement(entry, known));
  return {
    items: entries.toSorted((a, b) => comparePlaces(placeOf(a), placeOf(b))),
    complete: complete && cron.omitted === 0,
    ...(partial !== undefined && { partial }),
    ...(cron.omitted > 0 && { cronJobsOmitted: cron.omitted }),
  };
}

/** By severity, then newest first. */
function placeOf({ severity, latestAt, id }: AttentionEntry): Place {
  return [SEVERITIES.indexOf(severity), -(parseInstant(latestAt) ?? 0), id];
}
