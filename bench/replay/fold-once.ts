import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import type { Item } from "../../src/adapters/dynamodb/attribute.ts";
import { fromJobState } from "../../src/adapters/dynamodb/jobs/job-item.ts";
import type { Instant } from "../../src/job/model/instant.ts";
import { uniformRetention } from "../../src/ports/expiry/job-expiry.ts";
import type { JobKey } from "../../src/ports/jobs.ts";
import type { OpenedItem } from "../../src/ports/log.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import { rowOf } from "../../src/projection/job-state/derive-row.ts";
import { decodeJobState } from "../../src/projection/job-state/job-state.ts";
import { joinWholeStates, type JoinedJob } from "../../src/projection/job-state/join-job-state.ts";
import { projectSegments } from "../../src/projection/project-segments.ts";
import { throwAwayPages } from "../../src/upkeep/replay/fresh-fold.ts";
import { jobText } from "../../src/upkeep/replay/spread/job-text.ts";
import { MemoryStates } from "../../src/upkeep/replay/spread/memory-states.ts";
import type { SpreadEntry } from "../../src/upkeep/replay/spread/spread-objects.ts";

/**
 * A rebuild that writes each Job once, as decision 0058 proposes it: the partial states of a replay are joined into the
 * lines of an import file. The benchmarks measure it. Jobs whose Pods are in pages are left out: the log has few of
 * them.
 */

/** The partial states of a unit of the log. */
export async function partialStates(meta: MetaStore, items: readonly OpenedItem[]): Promise<readonly SpreadEntry[]> {
  const jobs = new MemoryStates();
  const into = { jobs, meta, jobsOnly: true, notedNamespaces: new Set<string>() };
  const { refold } = await projectSegments(into, items, { attempts: 1, pause: async () => undefined });
  if (refold.length > 0) throw new Error("A segment was not projected.", { cause: refold[0]?.cause });
  return jobs.whole();
}

/** All partial states of each Job. */
export function byJob(partials: Iterable<SpreadEntry>): readonly (readonly [JobKey, readonly Uint8Array[]])[] {
  const groups = Map.groupBy(partials, ([key]) => jobText(key));
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map(([key]) => [key, group.map(([, bytes]) => bytes)] as const),
  );
}

/** The state that a projection has after all units. Throws {@link JobInPagesError}. */
export async function joinPartials(key: JobKey, partials: readonly Uint8Array[]): Promise<JoinedJob> {
  const parts = partials.map((bytes) => decodeJobState(key.jobUid, bytes));
  const joined = await joinWholeStates(key.jobUid, parts, throwAwayPages());
  const { layout, segments } = joined.state;
  if (layout === "large" || segments.kind === "many") throw new JobInPagesError(key);
  return joined;
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
