import { formatInstant } from "../../job/model/instant.ts";
import type { ListedJob } from "../../ports/job-row.ts";
import type { JobStore, NamespaceOfJobs } from "../../ports/jobs.ts";
import type { MetaStore } from "../../ports/meta.ts";
import type { Projections } from "../../ports/projections.ts";
import { readLivePointer } from "../../projection/live-projection.ts";
import { areSameState } from "../../projection/job-state/job-state.ts";
import { SummaryUnreadableError, unpackSummary } from "../../projection/job-state/summary-bytes.ts";
import { clusterNames, namespacesOf } from "../../query/clusters/clusters.ts";
import { differences, type FieldDifference } from "./field-differences.ts";

export interface ComparePorts {
  readonly meta: MetaStore;
  readonly projections: Projections;
  /** Waits before Jobs that differ are compared again. @default it does not wait: one process writes both */
  readonly pause?: () => Promise<unknown>;
}

export interface Compared {
  readonly jobs: number;
  readonly different: readonly DifferentJob[];
  /** Different Jobs beyond those that are listed. */
  readonly differentBeyond: number;
}

/** A Job about which the two projections of a trial differ. */
export interface DifferentJob {
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /**
   * `missing`: only the projection that answers has it. `additional`: only the other one has it. `answer`: fields of
   * the listed answer differ. `state`: the answers agree, and the stored facts differ. `unreadable`: an answer cannot
   * be read.
   */
  readonly problem: "missing" | "additional" | "answer" | "state" | "unreadable";
  /** For `answer`: the fields that differ. `live` is the current answer. */
  readonly fields: readonly FieldDifference[];
}

/** There is one projection only. */
export class NoTrialError extends Error {
  override readonly name = "NoTrialError";

  constructor() {
    super('There is no second projection to compare with. Build one with "outlive replay --trial".');
  }
}

/** The most different Jobs that are listed; the others are only counted. */
const MOST_LISTED = 1000;
/** Jobs per request. Their states come with them: at most 300 KB each. */
const PAGE = 20;
/** How often Jobs that differ are compared again, because two projectors write a new fact at different times. */
const COMPARED_AGAIN = 2;

/**
 * Compares the two projections of a trial, Job by Job. Jobs without a known name are in no list, and are not compared.
 * Findings, waiting reasons and attributions that a sweep adds to lists are left out, because only the live projection
 * is swept. The facts behind them are compared. New facts reach one projection before the other, so Jobs that differ
 * are compared again. Throws {@link NoTrialError}.
 */
export async function compareProjections(
  { meta, projections, pause = async () => undefined }: ComparePorts,
  onProgress: (jobs: number) => void = () => undefined,
): Promise<Compared> {
  const { live, building } = await readLivePointer(meta);
  if (building === undefined) throw new NoTrialError();
  const pair: Pair = { live: projections.open(live), other: projections.open(building) };
  let found: Difference[] = [];
  let [jobs, beyond] = [0, 0];
  for await (const job of jobsOf(meta, pair)) {
    if (job.side === "live") onProgress((jobs += 1));
    const different = await compareJob(pair, job);
    if (different === undefined) continue;
    if (found.length < MOST_LISTED) found.push({ job, different });
    else beyond += 1;
  }
  for (let again = 0; again < COMPARED_AGAIN && found.length > 0; again += 1) {
    await pause();
    found = await compareAgain(pair, found);
  }
  return { jobs, different: found.map(({ different }) => different), differentBeyond: beyond };
}

interface Difference {
  readonly job: JobOfSide;
  readonly different: DifferentJob;
}

async function compareAgain(pair: Pair, found: readonly Difference[]): Promise<Difference[]> {
  const left: Difference[] = [];
  for (const { job } of found) {
    const different = await compareJob(pair, job);
    if (different !== undefined) left.push({ job, different });
  }
  return left;
}

interface Pair {
  readonly live: JobStore;
  readonly other: JobStore;
}

interface JobOfSide {
  readonly namespace: NamespaceOfJobs;
  readonly row: ListedJob;
  readonly side: keyof Pair;
}

/** The Jobs of the live projection, then those of the other one, namespace by namespace. */
async function* jobsOf(meta: MetaStore, pair: Pair): AsyncGenerator<JobOfSide> {
  for (const cluster of await clusterNames(meta, "everything")) {
    for (const name of await namespacesOf(meta, "everything", cluster)) {
      const namespace = { cluster, namespace: name };
      for await (const row of rowsOf(pair.live, namespace)) yield { namespace, row, side: "live" };
      for await (const row of rowsOf(pair.other, namespace)) yield { namespace, row, side: "other" };
    }
  }
}

async function* rowsOf(store: JobStore, namespace: NamespaceOfJobs): AsyncGenerator<ListedJob> {
  let page = await store.list(namespace, { limit: PAGE });
  yield* page.rows;
  while (page.next !== undefined) {
    page = await store.list(namespace, { limit: PAGE, after: page.next });
    yield* page.rows;
  }
}

async function compareJob(pair: Pair, { namespace, row, side }: JobOfSide): Promise<DifferentJob | undefined> {
  const place = { ...namespace, name: row.name, uid: row.jobUid };
  const key = { cluster: namespace.cluster, jobUid: row.jobUid };
  if (side === "other") {
    const isKnown = (await pair.live.read(key)) !== undefined;
    return isKnown ? undefined : { ...place, problem: "additional", fields: [] };
  }
  const [live, other] = await Promise.all([pair.live.read(key), pair.other.read(key)]);
  // It has expired since it was listed.
  if (live === undefined) return undefined;
  const problem = other === undefined ? ({ problem: "missing", fields: [] } as const) : compareStored(live, other);
  return problem && { ...place, ...problem };
}

type Stored = NonNullable<Awaited<ReturnType<JobStore["read"]>>>;

function compareStored(live: Stored, other: Stored): Pick<DifferentJob, "problem" | "fields"> | undefined {
  try {
    const fields = differences(contentOf(live), contentOf(other));
    if (fields.length > 0) return { problem: "answer", fields };
    return areSameState(live.bytes, other.bytes) ? undefined : { problem: "state", fields: [] };
  } catch (cause) {
    if (!(cause instanceof SummaryUnreadableError)) throw cause;
    return { problem: "unreadable", fields: [] };
  }
}

/**
 * The parts of a row that the projector itself writes. Compressed bytes differ between releases, and a sweep adds what
 * follows from time, Events and audit logs.
 */
function contentOf({ row }: Stored): Readonly<Record<string, unknown>> {
  if (row === undefined) return {};
  const {
    asOf: _asOf,
    findings: _findings,
    waiting: _waiting,
    completeness: _completeness,
    deletedBy: _deletedBy,
    cause,
    ...answer
  } = unpackSummary(row.summary);
  const { responsible: _responsible, retry: _retry, ...own } = cause ?? {};
  return { ...answer, cause: own, createdAt: formatInstant(row.createdAt) };
}
