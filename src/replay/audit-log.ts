import pLimit from "p-limit";
import type { ClusterName } from "../job/model/ids.ts";
import type { Instant } from "../job/model/instant.ts";
import type { Log } from "../ports/log.ts";
import type { MetaStore } from "../ports/meta.ts";
import { auditKey } from "../ports/meta-key.ts";
import { type AuditCheckpoint, auditCheckpoint } from "../ports/records/audit-checkpoint.ts";
import { readRecord, type StoredRecord, writeRecord } from "../ports/records/record-codec.ts";
import type { LoggedSegment } from "../projection/group-facts.ts";
import { followLog, type FollowedSegment } from "../query/changes/follow-log.ts";
import { type LogPosition, positionAt } from "../query/changes/log-position.ts";
import { SETTLED_AFTER_MS } from "../segment/late.ts";
import { keyIn, sealedAtOf } from "../segment/segment-key.ts";
import { type AuditedStores, findUnapplied, type Unapplied } from "./audit-segments.ts";
import { logDays } from "./read-log.ts";

export interface AuditPorts extends AuditedStores {
  readonly log: Log;
  /** Gets the findings of a batch before the audit moves its checkpoint past them. */
  readonly onUnapplied: (found: readonly Unapplied[]) => Promise<void>;
}

export interface AuditRun {
  readonly now: Instant;
  /** Whether there is time for another batch. @default always */
  readonly hasTime?: () => boolean;
}

export interface Audited {
  readonly segments: number;
  readonly unapplied: number;
  /** The run ended early, for lack of time or because of too many findings: the next run continues. */
  readonly isBehind: boolean;
  /** Every segment of every cluster that was sealed up to here was compared. `undefined` without clusters. */
  readonly auditedUntil?: Instant;
}

/**
 * The projection follows the log within seconds, the refold queue within minutes. A log item older than this is
 * overdue.
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

/** Clusters that are compared at the same time. One with a large backlog does not delay the others. */
const CLUSTERS_AT_ONCE = 4;

/**
 * Compares the log with the projection (docs/architecture.md, invariant 3), cluster by cluster: from the last
 * checkpoint to a quarter of an hour ago, and late arrivals. It reads each log item once, and each Job and record of a
 * batch once. The cluster that was compared least recently comes first: a run that ends early is continued by the next,
 * and no cluster is left out.
 */
export async function auditLog(ports: AuditPorts, run: AuditRun): Promise<Audited> {
  const audit = new Audit(ports, run);
  const clusters = await leastRecentFirst(ports.meta);
  const reached = await pLimit(CLUSTERS_AT_ONCE).map(clusters, (cluster) => audit.auditCluster(cluster));
  const auditedUntil = reached.length === 0 ? undefined : reached.reduce((first, at) => Math.min(first, at));
  return { ...audit.audited, ...(auditedUntil !== undefined && { auditedUntil }) };
}

interface AuditedCluster {
  readonly cluster: ClusterName;
  readonly stored: StoredRecord<AuditCheckpoint> | undefined;
}

async function leastRecentFirst(meta: MetaStore): Promise<readonly AuditedCluster[]> {
  const clusters: AuditedCluster[] = [];
  for (const cluster of await clustersIn(meta)) {
    clusters.push({ cluster, stored: await readRecord(meta, auditCheckpoint, auditKey(cluster)) });
  }
  return clusters.sort((a, b) => (a.stored?.value.auditedUntil ?? 0) - (b.stored?.value.auditedUntil ?? 0));
}

async function clustersIn(meta: MetaStore): Promise<ReadonlySet<ClusterName>> {
  const clusters = new Set<ClusterName>();
  for await (const { cluster } of logDays(meta)) clusters.add(cluster);
  return clusters;
}

class Audit {
  readonly #ports: AuditPorts;
  readonly #run: AuditRun;
  readonly #until: Instant;
  audited: Audited = { segments: 0, unapplied: 0, isBehind: false };

  constructor(ports: AuditPorts, run: AuditRun) {
    this.#ports = ports;
    this.#run = run;
    this.#until = run.now - AUDITED_AFTER_MS;
  }

  /** Returns the instant up to which the cluster was compared. */
  async auditCluster({ cluster, stored }: AuditedCluster): Promise<Instant> {
    const { meta } = this.#ports;
    const key = auditKey(cluster);
    const from: LogPosition = stored?.value ?? positionAt(this.#until - FIRST_AUDIT_MS);
    let version = stored?.version ?? 0;
    let auditedUntil = stored?.value.auditedUntil ?? this.#until - FIRST_AUDIT_MS;
    for await (const { segments, position, until } of this.#batches(cluster, from)) {
      if (!this.#isWithinLimits()) break;
      await this.#compare(segments);
      auditedUntil = Math.max(auditedUntil, until);
      const value = { ...position, auditedUntil };
      const written = await writeRecord(meta, auditCheckpoint, { key, value, expected: version });
      // A concurrent run audits this cluster.
      if (written.outcome === "conflict") break;
      version = written.version;
    }
    return auditedUntil;
  }

  #isWithinLimits(): boolean {
    const isBehind = this.audited.unapplied >= MOST_UNAPPLIED || this.#run.hasTime?.() === false;
    this.audited = { ...this.audited, isBehind: this.audited.isBehind || isBehind };
    return !isBehind;
  }

  async #compare(segments: readonly LoggedSegment[]): Promise<void> {
    const found = await findUnapplied(this.#ports, segments);
    if (found.length > 0) await this.#ports.onUnapplied(found);
    this.audited = {
      ...this.audited,
      segments: this.audited.segments + segments.length,
      unapplied: this.audited.unapplied + found.length,
    };
  }

  /** Settled segments since the last run in batches, each with the checkpoint after it. */
  async *#batches(cluster: ClusterName, from: LogPosition): AsyncGenerator<Batch, void> {
    const followed = followLog(this.#ports, { cluster, from, now: this.#until + SETTLED_AFTER_MS });
    let segments: LoggedSegment[] = [];
    let facts = 0;
    let position = from;
    for (let next = await followed.next(); ; next = await followed.next()) {
      if (next.done === true) position = next.value;
      if (next.done === true || sealedAtOf(next.value.sk) > this.#until) break;
      segments.push(toLogged(cluster, next.value));
      facts += next.value.segment.facts.length;
      position = next.value.position;
      if (facts < FACTS_AT_ONCE) continue;
      yield { segments, position, until: sealedAtOf(next.value.sk) };
      segments = [];
      facts = 0;
    }
    yield { segments, position, until: this.#until };
  }
}

interface Batch {
  readonly segments: readonly LoggedSegment[];
  readonly position: LogPosition;
  /** Every segment sealed up to here is in this batch or an earlier one. */
  readonly until: Instant;
}

function toLogged(cluster: ClusterName, { segment, sk }: FollowedSegment): LoggedSegment {
  const { sealedAt, session, sequence, facts } = segment;
  return { key: keyIn(cluster, sk), cluster, name: { sealedAt, session, sequence }, facts };
}
