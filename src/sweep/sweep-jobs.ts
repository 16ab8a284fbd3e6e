import { canonical } from "../job/model/canonical.ts";
import type { NodeRecord } from "../job/model/cluster-record.ts";
import { type ClusterName, decodeClusterName } from "../job/model/ids.ts";
import { type Instant, parseInstant } from "../job/model/instant.ts";
import type { JobRow, JobStore, ListPosition } from "../ports/jobs.ts";
import { listRecords } from "../ports/list-records.ts";
import type { MetaStore } from "../ports/meta.ts";
import { namespaceKey, ofCluster, SWEEP_KEY } from "../ports/meta-key.ts";
import { decodeJobState } from "../projection/job-state/job-state.ts";
import type { ClusterEntry } from "../projection/project-cluster.ts";
import { type RowMoment, rowOf } from "../projection/job-state/job-row.ts";
import { unpackSummary } from "../projection/job-state/summary-bytes.ts";

export interface SweepPorts {
  /** The projection that answers. */
  readonly jobs: JobStore;
  readonly meta: MetaStore;
}

export interface SweepRun {
  readonly now: Instant;
  /** Whether to begin another page. @default always */
  readonly hasTime?: () => boolean;
  /** Rows looked at in one run at most. A row is one read of its list and one of its state. @default 5000 */
  readonly rows?: number;
}

export interface Swept {
  readonly rows: number;
  readonly rewritten: number;
  /** The run ended before it had been round: the next one goes on. */
  readonly isBehind: boolean;
}

/** Rows of one page, looked at side by side. */
const PAGE = 100;
const ROWS = 5_000;
/** A Job that was heard of so lately was answered so lately. */
const FRESH_MS = 60_000;

/** Where the next run goes on: in this namespace, behind this Job. */
interface SweepPosition {
  readonly cluster: ClusterName;
  readonly namespace: string;
  readonly after?: ListPosition;
}

/**
 * Answers the live Jobs' rows again, with the time as it is now: a deadline has passed, a Pod is phantom-running, a Node went silent. Nothing is written but
 * rows in which that changes something, and the state beside the row stays as it is. The next fact of a Job makes its row anew, as of that fact.
 *
 * One run goes once round all namespaces, or as far as it may; ended Jobs are never looked at.
 */
export async function sweepJobs(ports: SweepPorts, run: SweepRun): Promise<Swept> {
  const stored = await ports.meta.read("position", SWEEP_KEY);
  const from = stored === undefined ? undefined : (JSON.parse(stored.value) as SweepPosition | null);
  const sweep = new Sweep(ports, run);
  const position = await sweep.from(from ?? undefined);
  // Who lost to another run wrote nothing that the other one would not have written.
  await ports.meta.write("position", SWEEP_KEY, JSON.stringify(position ?? null), stored?.version ?? 0);
  return { ...sweep.counts, isBehind: position !== undefined };
}

/** As of when the Jobs of one cluster are answered again. */
interface SweepMoment extends RowMoment {
  /** A row that is as of a later instant is left as it is. */
  readonly freshFrom: Instant;
}

class Sweep {
  readonly #ports: SweepPorts;
  readonly #run: SweepRun;
  readonly #moments = new Map<ClusterName, SweepMoment>();
  readonly counts = { rows: 0, rewritten: 0 };

  constructor(ports: SweepPorts, run: SweepRun) {
    this.#ports = ports;
    this.#run = run;
  }

  /** From here to the end of the list of namespaces; where the run ended before that, that place. */
  async from(begin: SweepPosition | undefined): Promise<SweepPosition | undefined> {
    const { meta } = this.#ports;
    for await (const place of namespacesFrom(meta, begin)) {
      let position: SweepPosition | undefined = place;
      while (position !== undefined) {
        if (!this.#mayGoOn()) return position;
        position = await this.#page(position);
      }
    }
    return undefined;
  }

  #mayGoOn(): boolean {
    return this.counts.rows < (this.#run.rows ?? ROWS) && this.#run.hasTime?.() !== false;
  }

  async #page({ cluster, namespace, after }: SweepPosition): Promise<SweepPosition | undefined> {
    const options = { limit: PAGE, ...(after && { after }) };
    const page = await this.#ports.jobs.list({ cluster, namespace, phase: "A" }, options);
    const moment = await this.#momentOf(cluster);
    await Promise.all(page.rows.map((row) => this.#look(cluster, row, moment)));
    return page.next && { cluster, namespace, after: page.next };
  }

  async #look(cluster: ClusterName, listed: JobRow & ListPosition, moment: SweepMoment): Promise<void> {
    this.counts.rows += 1;
    if ((parseInstant(unpackSummary(listed.summary).asOf.time) ?? 0) > moment.freshFrom) return;
    const key = { cluster, jobUid: listed.jobUid };
    const stored = await this.#ports.jobs.read(key);
    if (stored?.row === undefined) return;
    const row = rowOf(cluster, decodeJobState(key.jobUid, stored.bytes), moment);
    if (row === undefined || canonical(decisions(row)) === canonical(decisions(stored.row))) return;
    // A conflict is a fold that came between, and that wrote a row as of a later fact.
    const { outcome } = await this.#ports.jobs.write(key, { bytes: stored.bytes, row }, stored.version);
    if (outcome === "written") this.counts.rewritten += 1;
  }

  /** As of when a cluster's Jobs are answered: the time now, or when it was last heard of, and what its Nodes were then. */
  async #momentOf(cluster: ClusterName): Promise<SweepMoment> {
    const known = this.#moments.get(cluster);
    if (known !== undefined) return known;
    const entry = await this.#ports.meta.read("cluster", cluster);
    const heardAt = entry === undefined ? undefined : (JSON.parse(entry.value) as ClusterEntry).observed?.at;
    const nodes = new Map<string, NodeRecord>();
    for await (const { value } of listRecords(this.#ports.meta, "node", ofCluster(cluster))) {
      const record = JSON.parse(value) as NodeRecord;
      nodes.set(record.node, record);
    }
    const { now } = this.#run;
    const isQuiet = heardAt !== undefined && heardAt < now - FRESH_MS;
    const moment = isQuiet ? { now: heardAt, nodes, freshFrom: heardAt } : { now, nodes, freshFrom: now - FRESH_MS };
    this.#moments.set(cluster, moment);
    return moment;
  }
}

/** What a row says, without the words in which it says for how long. */
function decisions({ phase, attention, summary }: JobRow) {
  const { verdict, status, findings } = unpackSummary(summary);
  return {
    phase,
    attention,
    state: verdict.state,
    reason: verdict.reason,
    status,
    findings: findings.map(({ kind }) => kind),
  };
}

async function* namespacesFrom(meta: MetaStore, begin: SweepPosition | undefined): AsyncGenerator<SweepPosition> {
  if (begin !== undefined) yield begin;
  const after = begin && namespaceKey(begin.cluster, begin.namespace);
  for await (const { key } of listRecords(meta, "namespace", "", after)) {
    const [name, ...rest] = key.split("#");
    const cluster = decodeClusterName(name);
    if (cluster !== undefined) yield { cluster, namespace: rest.join("#") };
  }
}
