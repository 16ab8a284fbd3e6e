import type { JobAnswer } from "../../../explain/answer-document.ts";
import { decodeJobUid, type ClusterName } from "../../../job/model/ids.ts";
import type { ErasableViews } from "../../../ports/erasing/erasable-views.ts";
import type { HoldStores } from "../../../ports/expiry/holds.ts";
import { listRecords } from "../../../ports/list-records.ts";
import { heldOf, ofCluster } from "../../../ports/meta-key.ts";
import type { MetaKind, MetaRecord } from "../../../ports/meta.ts";
import { cronJobRecord } from "../../../ports/records/cron-job-record.ts";
import { hintRecord } from "../../../ports/records/hint-record.ts";
import { namespaceMarksRecord } from "../../../ports/records/namespace-marks-record.ts";
import { retentionRecord } from "../../../ports/expiry/retention-record.ts";
import type { Erasure } from "../erasure.ts";
import { eraseNamespaces, type NamespaceStores } from "./erase-namespaces.ts";

export interface RecordStores extends HoldStores, NamespaceStores {
  readonly views: Pick<ErasableViews, "eraseChanges">;
}

/** What to do with a record: keep it, remove it, or store another value. */
type Fate = "keep" | "remove" | { readonly value: string };

/**
 * Removes the records of erased objects, and the parts of other records about them. Returns how many records there
 * were.
 */
export async function eraseRecords(stores: RecordStores, erasure: Erasure, cluster: ClusterName): Promise<number> {
  let changed = await eraseNamespaces(stores, erasure, cluster);
  for (const kind of KINDS) {
    for await (const record of listRecords(stores.meta, kind, { prefix: ofCluster(cluster) })) {
      changed += await apply(stores, { kind, record, fate: fateOf({ kind, record }, erasure, cluster) });
    }
  }
  for (const { kind, isReleased } of stores.holds) {
    for await (const record of listRecords(stores.meta, kind, { prefix: ofCluster(cluster) })) {
      const fate = removeIf(isReleased(record) && isErasedHold(record.key, erasure));
      changed += await apply(stores, { kind, record, fate });
    }
  }
  changed += await eraseAcknowledgements(stores, erasure, cluster);
  const remove = (key: string) => stores.eraser.removeRecord("changes", key);
  const isErased = (job: JobAnswer) => erasure.isErasedJob(job.cluster, job.uid);
  return changed + (await stores.views.eraseChanges({ meta: stores.meta, remove, isErased }));
}

/**
 * Kinds whose keys begin with a cluster. Late arrivals and days of the log name no object. Messages and sums have
 * erasers of their own, which keep their numbers.
 */
const KINDS = [
  "node",
  "cronjob",
  "namespaceMarks",
  "gap",
  "hints",
  "series",
  "waiting",
  "retention",
  "removed",
] as const;
type ErasedKind = (typeof KINDS)[number];

interface RecordOfKind {
  readonly kind: ErasedKind;
  readonly record: MetaRecord;
}

interface Judging {
  readonly record: MetaRecord;
  readonly erasure: Erasure;
  readonly cluster: ClusterName;
  /** The parts of the key after the cluster. */
  readonly second: string;
  readonly third: string;
}

function fateOf({ kind, record }: RecordOfKind, erasure: Erasure, cluster: ClusterName): Fate {
  const [, second = "", third = ""] = record.key.split("#");
  return FATES[kind]({ record, erasure, cluster, second, third });
}

const withCluster = ({ erasure }: Judging): Fate => removeIf(erasure.scope.level === "cluster");

const FATES: { readonly [Kind in ErasedKind]: (judging: Judging) => Fate } = {
  node: withCluster,
  gap: withCluster,
  cronjob: ({ record, erasure, cluster }) => removeIf(isErasedCronJob(record, erasure, cluster)),
  namespaceMarks: ({ record, erasure, cluster }) => fateOfMarks(record, erasure, cluster),
  hints: ({ record, erasure, cluster }) => fateOfHints(record, erasure, cluster),
  series: ({ erasure, cluster, second }) => removeIf(erasure.isErasedNamespace(cluster, second)),
  waiting: ({ erasure, cluster, second }) => removeIf(isErasedUid(second, erasure, cluster)),
  retention: ({ record, erasure, cluster, second }) =>
    removeIf(retentionRecord.decode(record).days === undefined && erasure.isErasedNamespace(cluster, second)),
  removed: ({ erasure, cluster, second }) => removeIf(second !== "" && erasure.isErasedNamespace(cluster, second)),
};

function removeIf(isErased: boolean): Fate {
  return isErased ? "remove" : "keep";
}

function isErasedUid(text: string, erasure: Erasure, cluster: ClusterName): boolean {
  const uid = decodeJobUid(text);
  return uid !== undefined && erasure.isErasedJob(cluster, uid);
}

/** A CronJob that was observed after the erasure is a new one. */
function isErasedCronJob(record: MetaRecord, erasure: Erasure, cluster: ClusterName): boolean {
  const { observed, specs = [], deleted } = cronJobRecord.decode(record);
  const facts = [...specs, ...(observed ? [observed] : []), ...(deleted ? [deleted] : [])];
  return facts.length > 0 && facts.every((fact) => erasure.isErased(cluster, fact));
}

/** What was observed after the erasure stays. */
function fateOfMarks(record: MetaRecord, erasure: Erasure, cluster: ClusterName): Fate {
  const { namespace, observed, deleted } = namespaceMarksRecord.decode(record);
  const left = {
    ...(observed !== undefined && !erasure.isErased(cluster, observed) && { observed }),
    ...(deleted !== undefined && !erasure.isErased(cluster, deleted) && { deleted }),
  };
  if (Object.keys(left).length === 0) return "remove";
  const value = namespaceMarksRecord.encode({ namespace, ...left });
  return value === record.value ? "keep" : { value };
}

function fateOfHints(record: MetaRecord, erasure: Erasure, cluster: ClusterName): Fate {
  const { hints } = hintRecord.decode(record);
  const left = hints.filter((hint) => !erasure.isErased(cluster, hint));
  if (left.length === hints.length) return "keep";
  return left.length === 0 ? "remove" : { value: hintRecord.encode({ hints: left }) };
}

/**
 * A released hold names a namespace or a Job. Holds in force prevent the erasure. A hold has no uid. If only one uid of
 * a name is erased, the hold on the name stays, because other Jobs had that name.
 */
function isErasedHold(key: string, erasure: Erasure): boolean {
  const { cluster, namespace, name } = heldOf(key);
  if (namespace === undefined || erasure.scope.isOfUid === true) return false;
  return erasure.isErasedNamespace(cluster, namespace) || (name !== undefined && erasure.isNamed(namespace, name));
}

/**
 * An acknowledgement names a series or a run, and its note may contain anything. So those of a Job's whole namespace
 * are removed with the Job: their entries show again. They do not count, because a mistyped name of a Job must not
 * become an erasure.
 */
async function eraseAcknowledgements(stores: RecordStores, erasure: Erasure, cluster: ClusterName): Promise<number> {
  const kind = "acknowledgement";
  let changed = 0;
  for await (const record of listRecords(stores.meta, kind, { prefix: ofCluster(cluster) })) {
    const [, namespace = ""] = record.key.split("#");
    const isErased = erasure.isErasedNamespace(cluster, namespace);
    const removed = await apply(stores, { kind, record, fate: removeIf(isErased || erasure.isIn(namespace)) });
    if (isErased) changed += removed;
  }
  return changed;
}

async function apply(
  { meta, eraser }: RecordStores,
  { kind, record, fate }: { readonly kind: MetaKind; readonly record: MetaRecord; readonly fate: Fate },
): Promise<number> {
  if (fate === "keep") return 0;
  if (fate === "remove") await eraser.removeRecord(kind, record.key);
  else await meta.write(kind, record.key, { value: fate.value, expected: record.version });
  return 1;
}
