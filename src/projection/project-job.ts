import type { ClusterFact } from "../job/model/fact.ts";
import type { ClusterName } from "../job/model/ids.ts";
import type { Turn } from "../ports/concurrency/fair-turns.ts";
import type { Retry } from "../ports/concurrency/retry.ts";
import type { EncodedJobState, JobRow, StoredJob } from "../ports/job-row.ts";
import type { JobKey, PageOwner, StateStore } from "../ports/jobs.ts";
import type { MetaStore } from "../ports/meta.ts";
import type { ProjectionName } from "../ports/projections.ts";
import { changeSince } from "./changes/announced-change.ts";
import type { ChangeAnnouncer } from "./changes/change-announcer.ts";
import { type JobGroup, type RunGroup, segmentsOf } from "./group-facts.ts";
import { decodeJobState, type JobState, emptyJobState, jobObjectOf } from "./job-state/job-state.ts";
import { pagesOf } from "./pages/job-pages.ts";
import { type DerivedRow, deriveRow, identityOf } from "./job-state/derive-row.ts";
import { type JobDelta, joinJobState } from "./job-state/join-job-state.ts";
import { collectWaiting, isLarge, noteForLater, type WriteCoalescing } from "./write-coalescing.ts";
import type { ObservedRow, RowObserver, RunObserver } from "./row-observer.ts";
import { runOfJob } from "../parents/run/run-uid.ts";
import type { RunStores } from "./run-state/project-run.ts";
import { runUidOfState } from "./run-state/run-member.ts";
import { readSummary } from "./job-state/summary-bytes.ts";
import { readPastRuns } from "./series/series-runs.ts";
import { noteIfUnlisted } from "./note-unlisted.ts";
import { untilWritten } from "./until-written.ts";

export interface JobPorts {
  readonly jobs: StateStore;
  readonly meta: MetaStore;
  /** The runs of the same projection. @default none are kept: for partial states */
  readonly runs?: RunStores["runs"];
  /** For partial states: gets what a batch has about runs, instead of a store. @default nothing gets it */
  readonly onRuns?: (runs: readonly RunGroup[]) => void;
  /** Lets other work run between two Jobs. @default no interruption */
  readonly turn?: Turn;
  /** Gets each row that is written. @default none: for a projection that is not live */
  readonly observer?: RowObserver;
  /** The same of runs. */
  readonly runObserver?: RunObserver;
  /** How writes of large Jobs are combined, and in which projection. @default every change is written */
  readonly coalescing?: { readonly mode: WriteCoalescing; readonly projection: ProjectionName };
  /** Receives each status change before the state is written. @default none */
  readonly announcer?: ChangeAnnouncer;
  /** Whether to leave alone what both projections share: clusters, namespaces and records. @default false */
  readonly jobsOnly?: boolean;
  /** For partial states, which have no rows: the namespaces that have a record. @default rows are derived */
  readonly notedNamespaces?: Set<string>;
  /** Whether retention has deleted the record of a fact, so that the fact is left out. @default none is deleted */
  readonly isRemoved?: (cluster: ClusterName, fact: ClusterFact) => boolean;
}

/** `noted`: the segments will be projected later, together with others (write-coalescing.ts). */
export type JobOutcome = "written" | "unchanged" | "noted";

/** What became of the facts of a Job. */
export interface ProjectedJob {
  readonly outcome: JobOutcome;
  /** The run that the Job belongs to. It must be projected next, also if the state had all facts already. */
  readonly runUid?: string;
}

/** Joins the facts of a Job into its state: read, join, conditional write; again if another writer came first. */
export async function projectJob(ports: JobPorts, group: JobGroup, retry: Retry): Promise<ProjectedJob> {
  const { key } = group;
  let runUid: string | undefined;
  const outcome = await untilWritten<JobOutcome>(`Job ${key.jobUid}`, retry, async () => {
    const stored = await ports.jobs.read(key);
    const state = stored === undefined ? emptyJobState(key.jobUid) : decodeJobState(key.jobUid, stored.bytes);
    const write = (delta: JobDelta) => {
      runUid = runUidOfState(state) ?? runUidIn(delta);
      return writeJoined(ports, key, { stored, state, delta });
    };
    const { coalescing } = ports;
    if (coalescing === undefined || !isLarge(state, stored)) return write(deltaOf(group));
    const update = { ...ports, projection: coalescing.projection, state, group };
    const { mode } = coalescing;
    switch (mode.kind) {
      case "note":
        return (await noteForLater(update, mode.refoldQueue)) ?? write(deltaOf(group));
      case "collect": {
        const { delta, settle } = await collectWaiting(update, mode.log);
        const outcome = await write(delta);
        return outcome === "conflict" || (await settle()) === "conflict" ? "conflict" : outcome;
      }
    }
  });
  return { outcome, ...(runUid !== undefined && { runUid }) };
}

function runUidIn({ facts }: JobDelta): string | undefined {
  const created = facts.find((fact) => fact.kind === "JobCreated");
  return created && runOfJob(created)?.uid;
}

function deltaOf(group: JobGroup): JobDelta {
  return { facts: group.facts, segments: segmentsOf(group) };
}

interface Change {
  readonly stored: StoredJob | undefined;
  readonly state: JobState;
  readonly delta: JobDelta;
}

async function writeJoined(
  ports: JobPorts,
  key: JobKey,
  { stored, state, delta }: Change,
): Promise<"written" | "unchanged" | "conflict"> {
  const { jobs, announcer } = ports;
  const joined = await joinJobState(state, delta, pagesOf(jobs, ownerOf(key, state, delta)));
  if (joined === undefined) return "unchanged";
  const derived = await derivedRow(ports, key, { state: joined.state, before: stored?.row });
  const row = derived?.row;
  await noteIfUnlisted(ports, key, { row: row ?? identityOf(joined.state), known: stored?.row });
  const { cluster } = key;
  const { seenAt } = joined.state;
  await announcer?.announceIfAny(() => derived && changeSince(state, { cluster, listed: derived.listed, seenAt }));
  const { outcome } = await jobs.write(key, encodedOf(joined, row, stored), stored?.version ?? 0);
  if (outcome === "written") await observe(ports, { key, state: joined.state, derived });
  return outcome;
}

/** A sweep finds that a Job is slower than usual. Until it ends, the row has this finding after each of its facts. */
async function derivedRow(
  { notedNamespaces, meta }: JobPorts,
  { cluster }: JobKey,
  { state, before }: { readonly state: JobState; readonly before: JobRow | undefined },
): Promise<DerivedRow | undefined> {
  if (notedNamespaces !== undefined) return undefined;
  const pastRuns = wasSlow(before) ? await readPastRuns(meta, cluster, jobObjectOf(state).created) : undefined;
  return deriveRow(cluster, state, { pastRuns });
}

function wasSlow(row: JobRow | undefined): boolean {
  return row?.attention === true && readSummary(row).findings.some(({ kind }) => kind === "SlowerThanUsual");
}

function encodedOf(
  { bytes }: Pick<EncodedJobState, "bytes">,
  row: JobRow | undefined,
  { recordedAt }: Pick<EncodedJobState, "recordedAt"> = {},
): EncodedJobState {
  return { bytes, ...(row && { row }), ...(recordedAt !== undefined && { recordedAt }) };
}

/** The Job with its name, if it is known. */
function ownerOf(key: JobKey, state: JobState, { facts }: JobDelta): PageOwner {
  const { created = facts.find((fact) => fact.kind === "JobCreated") } = jobObjectOf(state);
  return created === undefined ? key : { ...key, namespace: created.namespace, name: created.name };
}

async function observe(
  { observer }: JobPorts,
  { derived, ...row }: Omit<ObservedRow, "derived"> & { readonly derived: DerivedRow | undefined },
): Promise<void> {
  if (derived !== undefined) await observer?.({ ...row, derived });
}
