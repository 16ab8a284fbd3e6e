import type { Fact } from "../../job/model/fact.ts";
import { formatInstant, type Instant } from "../../job/model/instant.ts";
import type { JobRecord } from "../../job/model/job-record.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import type { ScopedReference, UnknownJob } from "../../query/job/find-job.ts";
import { type LoadedJob, loadJob, recordOf } from "../../query/job/load-job.ts";
import type { QueryPorts } from "../../query/ports.ts";
import type { ArchiveHour } from "../layout/archive-hour.ts";
import { manifestKey } from "../layout/archive-keys.ts";
import { type ChainLink, listChain, readLink } from "../layout/chain.ts";
import { encodeManifest } from "../layout/manifest.ts";
import { merkleTree, proofOf } from "../layout/merkle.ts";
import { factLeaf } from "../layout/segment-file.ts";
import { archivedHour, type OpenedSegmentFile } from "../read/archived-hour.ts";
import { findArchivedJobs } from "../read/find-archived-jobs.ts";
import { addedSegments } from "../write/added-segments.ts";
import { readArrivals } from "../write/arrivals.ts";
import { answerFromFacts } from "./answer-from-facts.ts";
import type { EvidenceFile, EvidenceOfFile, ProvenFact } from "./evidence-file.ts";
import { isEvidenceOf } from "./is-evidence.ts";

export interface EvidencePorts {
  readonly ports: QueryPorts;
  readonly archive: ObjectStore;
}

export type CollectedEvidence =
  | { readonly outcome: "collected"; readonly evidence: EvidenceFile }
  /** The archive has no hour with facts about the Job yet. */
  | { readonly outcome: "notArchived" }
  /** Facts were erased from this segment file, so that the hash tree of its manifest cannot be built again. */
  | { readonly outcome: "erased"; readonly key: string }
  | UnknownJob;

/**
 * Collects the archived facts about a Job with the hashes that prove them. Reads every segment of the cluster in the
 * hours from the first to the last fact about the Job. Throws ArchiveDamagedError.
 */
export async function collectEvidence(
  { ports, archive }: EvidencePorts,
  { scope, wanted }: ScopedReference,
  now: Instant,
): Promise<CollectedEvidence> {
  const loaded = await loadJob(ports, scope, wanted);
  if (loaded.outcome !== "loaded") return loaded;
  const record = await recordOf(loaded);
  const hours = await hoursOf({ ports, archive }, loaded, { ...wanted, now });
  const [first, last] = [Math.min(...hours), Math.max(...hours)];
  const links = await linksSince(archive, first);
  const head = links.at(-1);
  if (head === undefined) return { outcome: "notArchived" };
  const files = await filesOf({ archive, loaded, record }, { first, last: Math.min(last, head.name.hour) });
  const erased = files.find(
    ({ key }) => !links.some(({ manifest }) => manifest.objects.some((one) => one.key === key)),
  );
  if (erased !== undefined) return { outcome: "erased", key: erased.key };
  const facts = files.flatMap((file) => file.facts.map(({ fact }) => fact));
  const { cluster } = wanted;
  const evidence: EvidenceFile = {
    format: "outlive-evidence",
    version: 1,
    cluster,
    uid: record.job.uid,
    exportedAt: formatInstant(now),
    archive: head.manifest.archive,
    head: head.sha256,
    notArchived: hours.filter((hour) => hour > head.name.hour).length,
    files,
    manifests: links.map(({ name, manifest }) => ({
      key: manifestKey(name),
      text: Buffer.from(encodeManifest(manifest)).toString("utf8"),
    })),
    ...(await answerFromFacts({ cluster, jobUid: record.job.uid, facts })),
  };
  return { outcome: "collected", evidence };
}

/** The archive hour of each segment with facts about the Job; `Infinity` if its hour was archived without it. */
async function hoursOf(
  { ports, archive }: EvidencePorts,
  { view, source }: LoadedJob,
  wanted: ScopedReference["wanted"] & { readonly now: Instant },
): Promise<readonly ArchiveHour[]> {
  if (source === "archive") {
    return (await findArchivedJobs(archive, wanted)).find(({ uid }) => uid === view.job.uid)?.hours ?? [];
  }
  const arrivals = await readArrivals(ports.meta, wanted.cluster);
  const hours: ArchiveHour[] = [];
  const search = { chain: await listChain(archive), clusters: [{ cluster: wanted.cluster, arrivals }] };
  const added = new Set((await addedSegments({ log: ports.log, store: archive }, search)).map(({ sk }) => sk));
  for await (const key of view.logKeys()) hours.push(added.has(key.sk) ? Infinity : arrivals.hourOfKey(key));
  return hours;
}

async function linksSince(archive: ObjectStore, first: ArchiveHour): Promise<readonly ChainLink[]> {
  const links: ChainLink[] = [];
  for (const name of await listChain(archive)) if (name.hour >= first) links.push(await readLink(archive, name));
  return links;
}

interface EvidenceSource {
  readonly archive: ObjectStore;
  readonly loaded: LoadedJob;
  readonly record: JobRecord;
}

async function filesOf(
  { archive, loaded, record }: EvidenceSource,
  { first, last }: { readonly first: ArchiveHour; readonly last: ArchiveHour },
): Promise<readonly EvidenceOfFile[]> {
  const files: EvidenceOfFile[] = [];
  const isEvidence = isEvidenceOf(record, loaded);
  for (let hour = first; hour <= last; hour += 1) {
    const manifest = manifestKey({ kind: "hour", hour });
    for await (const file of archivedHour(archive, { cluster: loaded.cluster, hour })) {
      const found = evidenceIn(file, isEvidence);
      if (found !== undefined) files.push({ key: file.object.key, manifest, ...found });
    }
  }
  return files;
}

/** The facts of a file that are evidence. Of the heartbeats of the cluster, the last one suffices. */
function evidenceIn(
  { segments }: OpenedSegmentFile,
  isEvidence: (fact: Fact) => boolean,
): Pick<EvidenceOfFile, "size" | "facts" | "proof"> | undefined {
  const leaves: Buffer[] = [];
  const facts: ProvenFact[] = [];
  let heartbeat: ProvenFact | undefined;
  for (const { segment, sha256 } of segments) {
    for (const fact of segment.facts) {
      const leaf = factLeaf(sha256, fact);
      const proven = { index: leaves.length, segment: sha256, leaf: leaf.toString("hex"), fact };
      if (fact.kind === "ClusterObserved") heartbeat = latest(heartbeat, proven);
      else if (isEvidence(fact)) facts.push(proven);
      leaves.push(leaf);
    }
  }
  if (facts.length === 0) return undefined;
  if (heartbeat !== undefined) facts.push(heartbeat);
  const indexes = facts.map(({ index }) => index);
  const proof = proofOf(merkleTree(leaves), indexes).map((hash) => hash.toString("hex"));
  return { size: leaves.length, facts: facts.sort((a, b) => a.index - b.index), proof };
}

function latest(known: ProvenFact | undefined, other: ProvenFact): ProvenFact {
  return known === undefined || known.fact.at <= other.fact.at ? other : known;
}
