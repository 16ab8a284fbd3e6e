import { itemBytes } from "../../src/adapters/dynamodb/item-size.ts";
import { fromPack } from "../../src/adapters/dynamodb/log/pack-item.ts";
import { DEFAULT_PACK_SHARDS } from "../../src/ports/deployment/limits.ts";
import { appendPacked, type Packer } from "../../src/log/append-packed.ts";
import type { SealedItem } from "../../src/log/ingest-segment.ts";
import { LogHourRegistry } from "../../src/log/log-hour-registry.ts";
import type { Instant } from "../../src/job/model/instant.ts";
import type { ClusterName } from "../../src/job/model/ids.ts";
import type { JobKey } from "../../src/ports/jobs.ts";
import type { LogPack } from "../../src/ports/log.ts";
import { decodeJobState } from "../../src/projection/job-state/job-state.ts";
import { rowOf } from "../../src/projection/job-state/derive-row.ts";
import { noteNamespace } from "../../src/projection/project-cluster.ts";
import { ChangeFeed } from "../../src/projection/changes/change-feed.ts";
import { decodeSegment } from "../../src/segment/decode-segment.ts";
import { segmentKey } from "../../src/segment/segment-key.ts";
import { foldBatch } from "../dynamodb/run-cluster.ts";
import type { MeteredTables } from "../dynamodb/tables.ts";
import type { FleetUnits } from "./fleet-units.ts";
import { RegularCount } from "./regular-count.ts";
import { NAMESPACES_PER_CLUSTER } from "./reference-fleet.ts";
import { JOBS_BEGIN_AT } from "./virtual-time.ts";

/** A segment as an exporter sent it, and when. */
export interface SentMessage {
  readonly at: Instant;
  readonly bytes: Uint8Array;
}

/** When the sweep visits a Job. */
export interface SweptJob {
  readonly at: Instant;
  readonly key: JobKey;
}

/** Everything that happens to the tables. */
export interface Delivery {
  readonly sent: readonly SentMessage[];
  readonly swept: readonly SweptJob[];
  /** The clusters. Their namespaces are recorded before the measurement begins. */
  readonly clusters: readonly ClusterName[];
}

/** Segments that ingest receives together: the batch of its event source (lib/ingest.ts). */
const BATCH = 10;
/** SQS may deliver a message twice. Here it delivers every hundredth twice, which is much more often. */
const DELIVERED_TWICE = 100;
/** One of this many batches conflicts with another projector on every Job. */
const FOLDED_TWICE = 50;
const RETENTION_DAYS = 400;

/** What the delivery took. */
export interface Delivered {
  /** Batches of messages, and packs, since Jobs began. */
  readonly batches: number;
  readonly packs: number;
}

/**
 * Delivers the segments of all clusters in the order in which they were sent, ten to a batch, and projects each batch.
 * The fleet sends ten segments in a tenth of a second, the miniature in two. What exists before the first Job (Nodes,
 * CronJobs, namespaces) is written once in the life of a fleet, and is not counted.
 */
export async function deliverSegments(
  tables: MeteredTables,
  units: FleetUnits,
  { sent, swept, clusters }: Delivery,
): Promise<Delivered> {
  let now = 0;
  const counted = { batches: 0, packs: 0 };
  let haveJobsBegun = false;
  const all = delivered(sent);
  const counting = new RegularCount(tables);
  // A stage that counts from the beginning.
  await counting.at(beginOf(all));
  for (const cluster of clusters) await noteNamespaces(tables, cluster);
  const onPack = (pack: LogPack) => {
    counted.packs += 1;
    shareUnits(units, pack);
  };
  const packer = packerOf(tables, onPack, () => now);
  const changes = new ChangeFeed(tables.meta, () => now);
  const toSweep = swept.toSorted((a, b) => b.at - a.at);
  for (let begin = 0; begin < all.length; begin += BATCH) {
    const batch = all.slice(begin, begin + BATCH);
    now = batch.at(-1)?.at ?? now;
    if (!haveJobsBegun && beginOf(batch) >= JOBS_BEGIN_AT) {
      haveJobsBegun = true;
      Object.assign(counted, { batches: 0, packs: 0 });
      units.reset();
      tables.meter.reset();
    }
    await counting.upTo(now);
    counted.batches += 1;
    await sweepUntil(tables, toSweep, now);
    const items = await appended(packer, batch);
    const coalescing = { kind: "note", refoldQueue: { send: async () => {} } } as const;
    await foldBatch(tables, items, { coalescing, changes, twice: (begin / BATCH) % FOLDED_TWICE === 1 });
  }
  await counting.at(now);
  return counted;
}

/** The messages in order of their time, some of them twice. */
function delivered(sent: readonly SentMessage[]): readonly SentMessage[] {
  const sorted = sent.toSorted((a, b) => a.at - b.at);
  return sorted.flatMap((message, number) => (number % DELIVERED_TWICE === 1 ? [message, message] : [message]));
}

function beginOf(messages: readonly SentMessage[]): Instant {
  return messages[0]?.at ?? 0;
}

async function appended(packer: Packer, batch: readonly SentMessage[]) {
  const segments = batch.map(({ bytes }) => ({ item: opened(bytes), isAlone: false }));
  const outcomes = await appendPacked(packer, segments);
  return outcomes.flatMap((one) => (one.outcome === "appended" ? [one.item] : []));
}

/** `toSweep` has the latest Jobs first. */
async function sweepUntil(tables: MeteredTables, toSweep: SweptJob[], now: Instant): Promise<void> {
  while ((toSweep.at(-1)?.at ?? Infinity) <= now) await sweep(tables, toSweep.pop());
}

async function noteNamespaces({ meta }: MeteredTables, cluster: ClusterName): Promise<void> {
  const teams = Array.from({ length: NAMESPACES_PER_CLUSTER }, (_, team) => `team-${team}`);
  for (const team of teams) await noteNamespace(meta, cluster, team);
}

/** Moves a Job that is still live to the list of long-lived ones, as a sweep does. */
async function sweep({ projectionsAt }: MeteredTables, swept: SweptJob | undefined): Promise<void> {
  if (swept === undefined) return;
  const { at, key } = swept;
  const jobs = projectionsAt(at).open("A");
  const stored = await jobs.read(key);
  if (stored?.row?.phase !== "A") return;
  const row = rowOf(key.cluster, decodeJobState(key.jobUid, stored.bytes));
  await jobs.write(key, { bytes: stored.bytes, ...(row && { row }) }, stored.version);
}

function packerOf({ log, meta }: MeteredTables, onPack: (pack: LogPack) => void, now: () => Instant): Packer {
  const { packs } = log;
  if (packs === undefined) throw new Error("The log has no packs.");
  const append = async (pack: LogPack) => {
    onPack(pack);
    await packs.append(pack);
  };
  return { packs: { ...packs, append }, hours: new LogHourRegistry(meta), shards: DEFAULT_PACK_SHARDS, now };
}

/** The units of a pack, shared among the clusters of its segments by their bytes. */
function shareUnits(units: FleetUnits, pack: LogPack): void {
  const written = Math.ceil(itemBytes(fromPack(pack, RETENTION_DAYS)) / 1024);
  const bytes = pack.items.reduce((sum, item) => sum + item.bytes.length, 0);
  for (const { key, bytes: segment } of pack.items) {
    units.addToLog(key.pk.slice(0, key.pk.indexOf("#")), (written * segment.length) / bytes);
  }
}

function opened(bytes: Uint8Array): SealedItem {
  const decoded = decodeSegment(bytes);
  if (decoded.outcome === "rejected") throw new Error(decoded.reason);
  const { segment, sha256 } = decoded;
  return { key: segmentKey(segment), bytes, sha256, factCount: segment.facts.length, segment };
}
