import pLimit from "p-limit";
import type { ClusterName } from "../../job/model/ids.ts";
import { dayBegin, type Instant } from "../../job/model/instant.ts";
import { listRecords } from "../../ports/list-records.ts";
import type { Log, LogPack } from "../../ports/log.ts";
import type { MetaStore, MetaWriteOutcome } from "../../ports/meta.ts";
import { auditKey, SHARD_AUDIT_PREFIX, shardAuditKey } from "../../ports/meta-key.ts";
import {
  type AuditCheckpoint,
  auditCheckpoint,
  type ShardAuditCheckpoint,
  shardAuditCheckpoint,
} from "../../ports/records/audit-checkpoint.ts";
import { readRecord, type StoredRecord, writeRecord } from "../../ports/records/record-codec.ts";
import type { LoggedSegment } from "../../projection/group-facts.ts";
import { readLogItem } from "../../projection/log-segment.ts";
import { followLog, type FollowedSegment } from "../../query/changes/follow-log.ts";
import { floorAt, type LogPosition, positionAt } from "../../query/changes/log-position.ts";
import { SETTLED_AFTER_MS } from "../../segment/late.ts";
import { packArrivedAt, utcHour } from "../../segment/pack-key.ts";
import { sealedAtOf } from "../../segment/segment-key.ts";
import { type AuditedStores, compareSegments, type Unapplied } from "./audit-segments.ts";
import { type ConflictingCopy, conflictingCopies } from "./conflicting-copies.ts";
import { logDays, logHours, readWholeHour } from "../../log/read-log.ts";

export interface AuditPorts extends AuditedStores {
  readonly log: Log;
  /** Receives the findings of a batch before the audit moves its checkpoint past them. */
  readonly onUnapplied: (found: readonly Unapplied[]) => Promise<void>;
  /** Receives the segments of a batch whose key an earlier segment with other content has. The facts of both count. */
  readonly onConflicts: (found: readonly ConflictingCopy[]) => Promise<void>;
}

export interface AuditRun {
  readonly now: Instant;
  /** Whether there is time for another batch. @default always */
  readonly hasTime?: () => boolean;
}

export interface Audited {
  readonly segments: number;
  readonly unapplied: number;
  /** Segments whose key an earlier segment with other content has. */
  readonly conflicts: number;
  /** The run ended early, for lack of time or because of too many findings. The next run continues. */
  readonly isBehind: boolean;
  /** Every segment of every cluster that was sealed up to here was compared. `undefined` without clusters. */
  readonly auditedUntil?: Instant;
}

/**
 * How old a log item must be to count as overdue. The projection follows the log within seconds, and the refold queue
 * within minutes.
 */
export const AUDITED_AFTER_MS = 15 * 60_000;
/** Where the first audit of a cluster starts. `outlive verify` compares everything before. */
const FIRST_AUDIT_MS = 3 * 3_600_000;
/** Facts per batch. A batch reads each of its Jobs and records once. */
const FACTS_AT_ONCE = 5_000;
/**
 * A run with this many findings stops: the projection is broken, and a replay repairs it better than single log items.
 */
const MOST_UNAPPLIED = 1_000;

/**
 * How many parts of the log are compared at the same time, so that one with a large backlog does not delay the others.
 */
const PARTS_AT_ONCE = 4;

/**
 * Compares the log with the projection (docs/architecture.md, invariant 3): the packs of each shard by arrival, and the
 * log items of each cluster, from the last checkpoint to a quarter of an hour ago, and late arrivals. It reads each
 * item once, and each Job and record of a batch once. It begins with the part that was compared least recently, so that
 * no part is left out when runs end early.
 */
export async function auditLog(ports: AuditPorts, run: AuditRun): Promise<Audited> {
  const audit = new Audit(ports, run);
  const parts = await leastRecentFirst(ports.meta, run.now - AUDITED_AFTER_MS);
  const reached = await pLimit(PARTS_AT_ONCE).map(parts, (part) => audit.auditPart(part));
  const auditedUntil = reached.length === 0 ? undefined : reached.reduce((first, at) => Math.min(first, at));
  return { ...audit.audited, ...(auditedUntil !== undefined && { auditedUntil }) };
}

type AuditedPart =
  | { readonly cluster: ClusterName; readonly stored: StoredRecord<AuditCheckpoint> | undefined }
  | { readonly shard: number; readonly stored: StoredRecord<ShardAuditCheckpoint> | undefined };

async function leastRecentFirst(meta: MetaStore, until: Instant): Promise<readonly AuditedPart[]> {
  const parts: AuditedPart[] = [];
  for (const [cluster, lastDay] of await clustersIn(meta)) {
    const stored = await readRecord(meta, auditCheckpoint, auditKey(cluster));
    if (!isFinished(stored?.value, lastDay)) parts.push({ cluster, stored });
  }
  for (const shard of await shardsIn(meta, until)) {
    parts.push({ shard, stored: await readRecord(meta, shardAuditCheckpoint, shardAuditKey(shard)) });
  }
  return parts.sort((a, b) => (a.stored?.value.auditedUntil ?? 0) - (b.stored?.value.auditedUntil ?? 0));
}

/** The clusters with log items of their own, and the last day of each. */
async function clustersIn(meta: MetaStore): Promise<ReadonlyMap<ClusterName, string>> {
  const clusters = new Map<ClusterName, string>();
  for await (const { cluster, day } of logDays(meta)) clusters.set(cluster, day);
  return clusters;
}

/** A message is at most this late: SQS keeps it for 14 days. */
const LATEST_MS = 15 * 86_400_000;

/**
 * Whether all items of the cluster's last day were compared and no more can arrive, because its segments are now in
 * packs.
 */
function isFinished(checkpoint: AuditCheckpoint | undefined, lastDay: string): boolean {
  const begin = dayBegin(lastDay);
  return begin !== undefined && (checkpoint?.auditedUntil ?? 0) > begin + LATEST_MS;
}

/** The shards that had packs lately, and those whose audit has begun. */
async function shardsIn(meta: MetaStore, until: Instant): Promise<ReadonlySet<number>> {
  const shards = new Set<number>();
  const from = { hour: utcHour(until - FIRST_AUDIT_MS), shard: -1 };
  for await (const { shard } of logHours(meta, from)) shards.add(shard);
  for await (const { key } of listRecords(meta, "position", { prefix: SHARD_AUDIT_PREFIX })) {
    shards.add(Number(key.slice(SHARD_AUDIT_PREFIX.length)));
  }
  return shards;
}

class Audit {
  readonly #ports: AuditPorts;
  readonly #run: AuditRun;
  readonly #until: Instant;
  audited: Audited = { segments: 0, unapplied: 0, conflicts: 0, isBehind: false };

  constructor(ports: AuditPorts, run: AuditRun) {
    this.#ports = ports;
    this.#run = run;
    this.#until = run.now - AUDITED_AFTER_MS;
  }

  /** Returns the instant up to which the part was compared. */
  async auditPart(part: AuditedPart): Promise<Instant> {
    let { version = 0 } = part.stored ?? {};
    let { auditedUntil = this.#firstAt } = part.stored?.value ?? {};
    for await (const { segments, write, until } of this.#batchesOf(part)) {
      if (!this.#isWithinLimits()) break;
      await this.#compare(segments);
      auditedUntil = Math.max(auditedUntil, until);
      const written = await write(this.#ports.meta, { auditedUntil, expected: version });
      // A concurrent run audits this part.
      if (written.outcome === "conflict") break;
      version = written.version;
    }
    return auditedUntil;
  }

  get #firstAt(): Instant {
    return this.#until - FIRST_AUDIT_MS;
  }

  /** Settled segments since the last run in batches, each with the checkpoint after it. */
  #batchesOf(part: AuditedPart): AsyncGenerator<Batch, void> {
    return "shard" in part
      ? this.#batchesOfShard(part.shard, part.stored?.value.after ?? floorAt(this.#firstAt))
      : this.#batchesOfCluster(part.cluster, part.stored?.value ?? positionAt(this.#firstAt));
  }

  #isWithinLimits(): boolean {
    const isBehind = this.audited.unapplied >= MOST_UNAPPLIED || this.#run.hasTime?.() === false;
    this.audited = { ...this.audited, isBehind: this.audited.isBehind || isBehind };
    return !isBehind;
  }

  async #compare(segments: readonly LoggedSegment[]): Promise<void> {
    const { unapplied, copies } = await compareSegments(this.#ports, segments, this.#until);
    if (unapplied.length > 0) await this.#ports.onUnapplied(unapplied);
    const conflicts = await conflictingCopies(this.#ports.log, copies);
    if (conflicts.length > 0) await this.#ports.onConflicts(conflicts);
    this.audited = {
      ...this.audited,
      segments: this.audited.segments + segments.length,
      unapplied: this.audited.unapplied + unapplied.length,
      conflicts: this.audited.conflicts + conflicts.length,
    };
  }

  async *#batchesOfCluster(cluster: ClusterName, from: LogPosition): AsyncGenerator<Batch, void> {
    const followed = followLog(this.#ports, { cluster, from, now: this.#until + SETTLED_AFTER_MS });
    const key = auditKey(cluster);
    const batch = (segments: readonly LoggedSegment[], position: LogPosition, until: Instant): Batch => {
      const write: Batch["write"] = (meta, { auditedUntil, expected }) =>
        writeRecord(meta, auditCheckpoint, { key, value: { ...position, auditedUntil }, expected });
      return { segments, write, until };
    };
    let segments: LoggedSegment[] = [];
    let facts = 0;
    let position = from;
    for (let next = await followed.next(); ; next = await followed.next()) {
      if (next.done === true) position = next.value;
      if (next.done === true || sealedAtOf(next.value.key.sk) > this.#until) break;
      segments.push(toLogged(cluster, next.value));
      facts += next.value.segment.facts.length;
      position = next.value.position;
      if (facts < FACTS_AT_ONCE) continue;
      yield batch(segments, position, sealedAtOf(next.value.key.sk));
      segments = [];
      facts = 0;
    }
    yield batch(segments, position, this.#until);
  }

  /** The packs of a shard since the last run, in order of arrival. */
  async *#batchesOfShard(shard: number, from: string): AsyncGenerator<Batch, void> {
    const key = shardAuditKey(shard);
    const batch = (segments: readonly LoggedSegment[], after: string): Batch => {
      const write: Batch["write"] = (meta, { auditedUntil, expected }) =>
        writeRecord(meta, shardAuditCheckpoint, { key, value: { after, auditedUntil }, expected });
      return { segments, write, until: packArrivedAt(after) };
    };
    let segments: LoggedSegment[] = [];
    let facts = 0;
    for await (const { sk, items } of this.#packsOf(shard, from)) {
      for (const item of items) {
        const read = readLogItem(item);
        // The projection has reported the unreadable item, and `outlive verify` lists it.
        if (read.outcome === "read") segments.push(read.segment);
        facts += item.factCount;
      }
      if (facts < FACTS_AT_ONCE) continue;
      yield batch(segments, sk);
      segments = [];
      facts = 0;
    }
    yield batch(segments, floorAt(this.#until));
  }

  async *#packsOf(shard: number, from: string): AsyncGenerator<LogPack> {
    const end = floorAt(this.#until);
    const first = { hour: utcHour(packArrivedAt(from)), shard: -1 };
    for await (const hour of logHours(this.#ports.meta, first)) {
      if (hour.shard !== shard) continue;
      for await (const pack of readWholeHour(this.#ports.log, hour, { after: from })) {
        if (pack.sk > end) return;
        yield pack;
      }
    }
  }
}

interface Batch {
  readonly segments: readonly LoggedSegment[];
  /** Writes the checkpoint after the batch. */
  readonly write: (
    meta: MetaStore,
    checkpoint: { readonly auditedUntil: Instant; readonly expected: number },
  ) => Promise<MetaWriteOutcome>;
  /** Every segment up to here is in this batch or an earlier one. */
  readonly until: Instant;
}

function toLogged(cluster: ClusterName, { segment, key }: FollowedSegment): LoggedSegment {
  const { sealedAt, session, sequence, facts } = segment;
  return { key, cluster, name: { sealedAt, session, sequence }, facts };
}
