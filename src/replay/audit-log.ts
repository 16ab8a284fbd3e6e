import type { ClusterName } from "../job/model/ids.ts";
import type { Instant } from "../job/model/instant.ts";
import type { Log } from "../ports/log.ts";
import type { MetaStore } from "../ports/meta.ts";
import { auditKey } from "../ports/meta-key.ts";
import type { LoggedSegment } from "../projection/group-facts.ts";
import { followLog, type FollowedSegment } from "../query/changes/follow-log.ts";
import { type LogPosition, positionAt } from "../query/changes/log-position.ts";
import { SETTLED_AFTER_MS } from "../segment/late.ts";
import { keyIn, sealedAtOf } from "../segment/segment-key.ts";
import { type AuditedStores, findUnapplied, type Unapplied } from "./audit-segments.ts";
import { logDays } from "./read-log.ts";

export interface AuditPorts extends AuditedStores {
  readonly log: Log;
  /** Takes what was found, before the audit goes on behind it. */
  readonly onUnapplied: (found: readonly Unapplied[]) => Promise<void>;
}

export interface AuditRun {
  readonly now: Instant;
  /** Whether to begin another batch. @default always */
  readonly hasTime?: () => boolean;
}

export interface Audited {
  readonly segments: number;
  readonly unapplied: number;
  /** There was no time for all, or too much was found: the next run goes on. */
  readonly isBehind: boolean;
}

/** What is in the log for so long and was not folded is late: a projection follows within a second or two, the refold queue within minutes. */
export const AUDITED_AFTER_MS = 15 * 60_000;
/** So far behind that the first audit of a cluster begins. What is older, `outlive verify` compares. */
const FIRST_LOOK_MS = 3 * 3_600_000;
/** Facts looked at together: each Job and record that they are about is read once. */
const FACTS_AT_ONCE = 5_000;
/** A run that finds so much stops: the projection is down or broken, and a replay mends that better than single log keys do. */
const MOST_UNAPPLIED = 1_000;

/**
 * Holds the log against the projection (docs/architecture.md, invariant 3), cluster by cluster, from where the last run ended to a quarter of an hour ago,
 * and what came late behind its back. Every log item is read once, and every Job and record that a batch is about.
 */
export async function auditLog(ports: AuditPorts, run: AuditRun): Promise<Audited> {
  const audit = new Audit(ports, run);
  for (const cluster of await clustersIn(ports.meta)) await audit.look(cluster);
  return audit.audited;
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

  async look(cluster: ClusterName): Promise<void> {
    const { meta } = this.#ports;
    const stored = await meta.read("position", auditKey(cluster));
    const from =
      stored === undefined ? positionAt(this.#until - FIRST_LOOK_MS) : (JSON.parse(stored.value) as LogPosition);
    let version = stored?.version ?? 0;
    for await (const { segments, position } of this.#batches(cluster, from)) {
      if (!this.#mayGoOn()) return;
      await this.#compare(segments);
      const written = await meta.write("position", auditKey(cluster), JSON.stringify(position), version);
      // Another run of the audit is at this cluster.
      if (written.outcome === "conflict") return;
      version = written.version;
    }
  }

  #mayGoOn(): boolean {
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

  /** What came since the last run and is settled, some facts at a time, each with where the audit stands behind it. */
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
      yield { segments, position };
      segments = [];
      facts = 0;
    }
    yield { segments, position };
  }
}

interface Batch {
  readonly segments: readonly LoggedSegment[];
  readonly position: LogPosition;
}

function toLogged(cluster: ClusterName, { segment, sk }: FollowedSegment): LoggedSegment {
  const { sealedAt, session, sequence, facts } = segment;
  return { key: keyIn(cluster, sk), cluster, name: { sealedAt, session, sequence }, facts };
}
