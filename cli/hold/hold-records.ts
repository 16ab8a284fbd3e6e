import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { holdOnErasure } from "../../src/log/erasure/erasure-target.ts";
import { unfinishedErasure } from "../../src/log/erasure/stored-erasures.ts";
import { formatInstant } from "../../src/job/model/instant.ts";
import type { Hold } from "../../src/ports/expiry/holds.ts";
import { type Held, heldOf, holdKey } from "../../src/ports/meta-key.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import { listDecoded, readRecord, writeRecord } from "../../src/ports/records/record-codec.ts";
import { type HoldRecord, holdRecord } from "../../src/upkeep/holds/legal-holds.ts";
import { count } from "../../src/job/text/sentence.ts";
import { jobNameOf } from "../options/job-argument.ts";
import type { PrintOptions } from "../options/query-options.ts";
import { isForPeople, printAnswer, remark } from "../output/print-answer.ts";
import {
  followChange,
  followedColumn,
  type FollowedRow,
  type Following,
  readFollowed,
  type RetentionOptions,
  type RetentionPlace,
  withRetentionStore,
} from "../retention/retention-store.ts";

export async function setHold(
  job: string | undefined,
  options: RetentionPlace & { readonly reason: string },
): Promise<void> {
  const held = heldBy(job, options);
  const hold = { reason: options.reason, heldAt: formatInstant(Date.now()) };
  const following = await withRetentionStore(options, async ({ meta, deployed }) => {
    await refuseDuringErasure(meta, { held, ...hold });
    await write(meta, held, () => hold);
    return deployed && followChange(deployed, { kind: "hold", key: holdKey(held) });
  });
  if (following?.outcome === "pending") throw pendingHold(held, following);
  remark(`${sentence(held)} are under a legal hold: ${hold.reason}.`);
  if (following !== undefined) remark(coveredText(following.jobs));
}

function coveredText(jobs: number): string {
  if (jobs === 0) return "It covers no stored Job now. Check the names of cluster and namespace.";
  return `It covers ${count(jobs, "stored Job")} now.`;
}

type Pending = Extract<Following, { readonly outcome: "pending" }>;

/** The hold is recorded. It already covers new writes; stored Jobs must be visited first. */
function pendingHold(held: Held, { jobs, reason }: Pending): CommandFailure {
  const cause = reason === undefined ? "" : ` It could not run now: ${reason}`;
  return new CommandFailure(
    1,
    `The legal hold on ${textOf(held)} is recorded, and pending: ${count(jobs, "stored Job")} visited so far. ` +
      "The retain function continues every 15 minutes. It suspends the expiry of the tables, which takes up to an " +
      "hour: until then, Jobs that have expired may be deleted. The archive has them. Follow the hold with " +
      `"outlive hold list".${cause}`,
  );
}

/** An erasure that has begun removes data, whatever is held later. */
async function refuseDuringErasure(meta: MetaStore, hold: Hold): Promise<void> {
  const unfinished = await unfinishedErasure(meta);
  if (unfinished === undefined || holdOnErasure([hold], unfinished.erasure) === undefined) return;
  const { at, by, reason } = unfinished.record;
  const erasure = `The erasure of ${formatInstant(at)} by ${by} (${reason})`;
  throw new CommandFailure(
    1,
    `${erasure} has begun to remove this data, and is not finished. ` +
      "A hold cannot stop it. Repeat the erasure to finish it, and then hold what is left. List erasures with " +
      '"outlive erase --list".',
  );
}

export async function releaseHold(job: string | undefined, options: RetentionPlace): Promise<void> {
  const held = heldBy(job, options);
  const following = await withRetentionStore(options, async ({ meta, deployed }) => {
    await write(meta, held, (known) => {
      if (known === undefined || known.releasedAt !== undefined) {
        throw new CommandFailure(1, `${sentence(held)} are not under a legal hold. List holds with "outlive hold".`);
      }
      return { ...known, releasedAt: formatInstant(Date.now()) };
    });
    return deployed && followChange(deployed, { kind: "hold", key: holdKey(held) });
  });
  const when = following === undefined ? "within a day" : "after two days at the earliest";
  remark(`The legal hold on ${textOf(held)} is released. Those that have expired are deleted ${when}.`);
}

function heldBy(job: string | undefined, { cluster, namespace }: RetentionPlace): Held {
  if (job === undefined) return { cluster, namespace };
  if (namespace === undefined) throw new CommandFailure(2, "Name the namespace of the Job with -n.");
  return { cluster, namespace, name: jobNameOf(job) };
}

function textOf({ cluster, namespace, name }: Held): string {
  if (namespace === undefined) return `the Jobs of cluster ${cluster}`;
  const jobs = name === undefined ? "the Jobs" : `the Jobs with the name ${name}`;
  return `${jobs} of namespace ${namespace} of ${cluster}`;
}

/** The same at the begin of a sentence. */
function sentence(held: Held): string {
  return textOf(held).replace(/^t/, "T");
}

async function write(
  meta: MetaStore,
  held: Held,
  change: (known: HoldRecord | undefined) => HoldRecord,
): Promise<void> {
  const key = holdKey(held);
  const known = await readRecord(meta, holdRecord, key);
  const value = change(known?.value);
  const written = await writeRecord(meta, holdRecord, { key, value, expected: known?.version ?? 0 });
  if (written.outcome === "written") return;
  throw new CommandFailure(2, "Another process changed the hold at the same time. Try again.");
}

interface ListedHold extends HoldRecord, Held, FollowedRow {}

export async function printHolds(options: PrintOptions & RetentionOptions & { readonly all?: true }): Promise<void> {
  const items = await withRetentionStore(options, async (store) => {
    const found: ListedHold[] = [];
    const followedOf = await readFollowed(store, "hold");
    for await (const { key, value } of listDecoded(store.meta, holdRecord, "")) {
      const listed = { ...heldOf(key), ...value, ...followedOf(key) };
      if (options.all === true || value.releasedAt === undefined) found.push(listed);
    }
    return found;
  });
  if (items.length === 0 && isForPeople(options)) return remark("There are no legal holds.");
  await printAnswer(options, {
    document: { items },
    rows: items,
    columns: [
      { header: "CLUSTER", cell: ({ cluster }) => cluster },
      { header: "NAMESPACE", cell: ({ namespace }) => namespace ?? "*" },
      { header: "JOB", cell: ({ name }) => name ?? "*" },
      { header: "HELD", cell: ({ heldAt }) => heldAt },
      { header: "RELEASED", cell: ({ releasedAt }) => releasedAt },
      ...followedColumn(options),
      { header: "REASON", cell: ({ reason }) => reason },
    ],
    name: ({ cluster, namespace, name }) => `hold/${cluster}/${namespace ?? "*"}/${name ?? "*"}`,
  });
}
