import { createHash } from "node:crypto";
import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import type { Item } from "../../src/adapters/dynamodb/attribute.ts";
import { fromJobState, jobPartition } from "../../src/adapters/dynamodb/jobs/job-item.ts";
import { joinJobs } from "../../src/job/model/job-record.ts";
import type { ClusterName } from "../../src/job/model/ids.ts";
import type { Instant } from "../../src/job/model/instant.ts";
import { uniformRetention } from "../../src/ports/expiry/job-expiry.ts";
import type { JobKey } from "../../src/ports/jobs.ts";
import type { LoggedSegment } from "../../src/projection/group-facts.ts";
import { rowOf } from "../../src/projection/job-state/derive-row.ts";
import { decodeJobState, type InlineJob } from "../../src/projection/job-state/job-state.ts";
import { jobStateFrom, type JoinedJob } from "../../src/projection/job-state/join-job-state.ts";
import { addSegments } from "../../src/projection/job-state/segment-set.ts";
import { FreshFold, throwAwayPages } from "../../src/upkeep/replay/fresh-fold.ts";

/**
 * A rebuild that writes each Job once, as decision 0058 proposes it: each unit of the log is folded into partial
 * states, which are spread over buckets; then one worker joins the partial states of a bucket into the lines of an
 * import file. The benchmarks measure it. Jobs whose Pods are in pages are left out: the log has few of them.
 */

/** The state of a Job, as if the log had one unit only. */
export interface PartialState {
  readonly key: JobKey;
  readonly bytes: Uint8Array;
}

/** The partial states of the Jobs of one unit. */
export async function partialStates(segments: Iterable<LoggedSegment>): Promise<readonly PartialState[]> {
  const folds = new Map<ClusterName, FreshFold>();
  for (const segment of segments) {
    const fold = folds.get(segment.cluster) ?? new FreshFold();
    folds.set(segment.cluster, fold);
    fold.add(segment);
  }
  const partials: PartialState[] = [];
  for (const [cluster, fold] of folds) {
    for (const jobUid of fold.uids) {
      const { bytes } = await fold.stateOf(jobUid, throwAwayPages());
      partials.push({ key: { cluster, jobUid }, bytes });
    }
  }
  return partials;
}

/** Which of `buckets` has the Job. Uniform, so that the lines of an import file belong to all partitions of a table. */
export function bucketOf(key: JobKey, buckets: number): number {
  return createHash("sha256").update(jobPartition(key)).digest().readUInt32BE() % buckets;
}

/** All partial states of each Job of a bucket. */
export function byJob(partials: Iterable<PartialState>): readonly (readonly [JobKey, readonly Uint8Array[]])[] {
  const groups = Map.groupBy(partials, ({ key }) => jobPartition(key));
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map(({ key }) => [key, group.map(({ bytes }) => bytes)] as const),
  );
}

/** The state that a projection has after all units. Throws {@link JobInPagesError}. */
export async function joinPartials(key: JobKey, partials: readonly Uint8Array[]): Promise<JoinedJob> {
  const store = throwAwayPages();
  const [first, ...others] = partials.map((bytes) => inlineJob(key, bytes));
  if (first === undefined) throw new TypeError(`Job ${key.jobUid} has no partial state.`);
  let whole = first;
  for (const { record, segments, seenAt } of others) {
    if (segments.kind === "many") throw new JobInPagesError(key);
    whole = {
      layout: "inline",
      record: joinJobs(whole.record, record),
      segments: await addSegments(whole.segments, segments.segments, store),
      seenAt: Math.max(whole.seenAt, seenAt),
    };
  }
  return jobStateFrom(whole, store);
}

function inlineJob(key: JobKey, bytes: Uint8Array): InlineJob {
  const state = decodeJobState(key.jobUid, bytes);
  if (state.layout === "large" || state.segments.kind === "many") throw new JobInPagesError(key);
  return state;
}

export class JobInPagesError extends Error {
  override readonly name = "JobInPagesError";

  constructor({ jobUid }: JobKey) {
    super(`Job ${jobUid} has pages. Only Jobs whose Pods are in the state item are measured.`);
  }
}

/** The item of a table of Jobs, as a projection that meets the Job for the first time writes it. */
export function itemOf(key: JobKey, { state, bytes }: JoinedJob, now: Instant): Item {
  const row = rowOf(key.cluster, state);
  const written = { version: 1, retention: RETENTION, now };
  return fromJobState(key, { bytes, ...(row && { row }) }, written);
}

const RETENTION = uniformRetention(400);

/** A line of an import file: DynamoDB JSON, in which bytes are base64. */
export function importLine(item: Item): string {
  const Item: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(item)) Item[name] = plain(value);
  return `${JSON.stringify({ Item })}\n`;
}

function plain(value: AttributeValue): unknown {
  return value.B === undefined ? value : { B: Buffer.from(value.B).toString("base64") };
}
