import { Semaphore } from "../../ports/concurrency/semaphore.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { HoldStores } from "../../ports/expiry/holds.ts";
import type { ExpiringJob, JobExpiries } from "../../ports/expiry/job-expiries.ts";
import { type JobRetention, renewedExpiry, renewedPageExpiry } from "../../ports/expiry/job-expiry.ts";
import { listRecords } from "../../ports/list-records.ts";
import { namespaceKey, renewalKey } from "../../ports/meta-key.ts";
import type { ProjectionName } from "../../ports/projections.ts";
import { writeRecord } from "../../ports/records/record-codec.ts";
import { decodeJobUid } from "../../job/model/ids.ts";
import { jobNamesOf } from "../../explain/run/run-record.ts";
import { readableRecord } from "../../projection/run-state/project-run.ts";
import { runUidOfState } from "../../projection/run-state/run-member.ts";
import { decodeJobState, isLargeState } from "../../projection/job-state/job-state.ts";
import { readLivePointer } from "../../projection/live-projection.ts";
import { RULES_MAX_AGE_MS } from "./cached-retention.ts";
import {
  ALL_ROUNDS,
  readRetentionChanges,
  type RenewalPosition,
  type RenewalProgress,
  renewalProgress,
  type RetentionChange,
  type RetentionPlace,
  roundsOf,
} from "./retention-changes.ts";
import { readRetentionRules } from "./retention-rules.ts";

export interface RenewalStores extends HoldStores {
  readonly expiries: Readonly<Record<ProjectionName, ProjectionExpiries>>;
}

/** Those of the Jobs and of the runs of a projection. */
export interface ProjectionExpiries {
  readonly jobs: JobExpiries;
  readonly runs: JobExpiries;
}

export interface RenewalRun {
  readonly now: () => Instant;
  /** The retention of clusters and namespaces without a rule of their own. */
  readonly standardDays: number;
  /** Whether there is time for another page. */
  readonly hasTime: () => boolean;
}

/**
 * How long after a change no writer of Jobs uses the earlier rules: by then it has read the rules again and finished
 * earlier writes. A function runs for five minutes at most, except the replay function, which writes a Job within
 * seconds.
 */
export const RULES_SETTLED_MS = RULES_MAX_AGE_MS + 5 * 60_000;

/** Jobs in a page, after which the progress is written. */
const PAGE = 200;
/** Updates of items at once. */
const LANES = 32;
const PROJECTIONS: readonly ProjectionName[] = ["A", "B"];

/**
 * Applies changed rules and holds to the stored Jobs of both projections. Returns all rules and holds with their
 * progress.
 *
 * A first round visits every stored Job of a change at once. Meanwhile, a writer may still use the earlier rules. What
 * it writes is kept for two days at least ({@link stateExpiry}), and a second round, after {@link RULES_SETTLED_MS},
 * corrects it. A run that ends, or is killed, repeats at most a page.
 */
export async function renewExpiries(stores: RenewalStores, run: RenewalRun): Promise<readonly RetentionChange[]> {
  const changes = await readRetentionChanges(stores);
  if (changes.every((change) => roundsOf(change) === ALL_ROUNDS)) return changes;
  // After the versions of the changes: the rules are at least as new.
  const retention = await readRetentionRules(stores, run.standardDays);
  const renewal = new Renewal(stores, run, { retention, live: (await readLivePointer(stores.meta)).live });
  const renewed: RetentionChange[] = [];
  for (const change of changes) renewed.push(await renewal.follow(change));
  return renewed;
}

interface RenewalContext {
  readonly retention: JobRetention;
  /** The projection that answers. */
  readonly live: ProjectionName;
}

/** The result of a page, and where the next one begins; `undefined` at the end of the list. */
interface Visited extends Pick<RenewalProgress, "jobs" | "changed"> {
  readonly next: RenewalPosition | undefined;
}

class Renewal {
  readonly #stores: RenewalStores;
  readonly #run: RenewalRun;
  readonly #context: RenewalContext;
  readonly #lanes = new Semaphore(LANES);

  constructor(stores: RenewalStores, run: RenewalRun, context: RenewalContext) {
    this.#stores = stores;
    this.#run = run;
    this.#context = context;
  }

  /** Continues the rounds of a change while there is time. */
  async follow(change: RetentionChange): Promise<RetentionChange> {
    let current = change;
    while (this.#isDue(current)) {
      const next = await this.#page(current);
      if (next === undefined) return current;
      current = next;
    }
    return current;
  }

  #isDue(change: RetentionChange): boolean {
    const rounds = roundsOf(change);
    if (rounds === ALL_ROUNDS || !this.#run.hasTime()) return false;
    return rounds === 0 || this.#run.now() - (change.progress?.value.seenAt ?? 0) >= RULES_SETTLED_MS;
  }

  /** Visits the next page; `undefined` if another run did, which continues. */
  async #page(change: RetentionChange): Promise<RetentionChange | undefined> {
    const before = this.#progressOf(change);
    const positions = await this.#positions(change.place);
    const position = before.position ?? positions[0];
    if (position === undefined) return this.#write(change, { ...before, rounds: before.rounds + 1 });
    const visited = await this.#visit(change.place, position);
    const next = visited.next ?? positions.find((other) => isAfter(other, position));
    return this.#write(change, advanced(before, { ...visited, next }));
  }

  #progressOf({ version, progress }: RetentionChange): RenewalProgress {
    if (progress?.value.version === version) return progress.value;
    return { version, seenAt: this.#run.now(), rounds: 0, jobs: 0, changed: 0 };
  }

  async #write(change: RetentionChange, value: RenewalProgress): Promise<RetentionChange | undefined> {
    const key = renewalKey(change.kind, change.key);
    const expected = change.progress?.version ?? 0;
    const written = await writeRecord(this.#stores.meta, renewalProgress, { key, value, expected });
    return written.outcome === "conflict" ? undefined : { ...change, progress: { value, version: written.version } };
  }

  /** Where the lists of a cluster, namespace or name begin, in their order. */
  async #positions({ cluster, namespace }: RetentionPlace): Promise<readonly RenewalPosition[]> {
    const namespaces: string[] = [];
    if (namespace === undefined) {
      const prefix = namespaceKey(cluster, "");
      const records = listRecords(this.#stores.meta, "namespace", { prefix });
      for await (const { key } of records) namespaces.push(key.slice(prefix.length));
    } else {
      namespaces.push(namespace);
    }
    return PROJECTIONS.flatMap((projection) => [
      ...namespaces.map((each) => ({ projection, namespace: each })),
      ...namespaces.map((each) => ({ projection, namespace: each, content: "runs" as const })),
    ]);
  }

  async #visit({ cluster, name }: RetentionPlace, { after, ...list }: RenewalPosition): Promise<Visited> {
    const { projection, namespace, content = "jobs" } = list;
    const expiries = this.#stores.expiries[projection];
    const listed = { cluster, namespace, ...(name !== undefined && { name }) };
    const { jobs, next } = await expiries[content].list(listed, { after, limit: PAGE });
    const renew = async (job: ExpiringJob) => {
      if (content === "runs") return this.#renewRun(expiries, job);
      // The runs of a namespace are visited after its Jobs. A run has another name than its Jobs.
      const ofRun = name === undefined ? 0 : await this.#renewRunOf(expiries, job);
      return ofRun + (await this.#renew(expiries.jobs, job));
    };
    const changed = await Promise.all(jobs.map((job) => this.#lanes.run(() => renew(job))));
    return {
      jobs: projection === this.#context.live && content === "jobs" ? jobs.length : 0,
      changed: changed.reduce((sum, each) => sum + each, 0),
      next: next && { ...list, after: next },
    };
  }

  async #renewRunOf(expiries: ProjectionExpiries, { key, state }: ExpiringJob): Promise<number> {
    const jobUid = decodeJobUid(runUidOfState(decodeJobState(key.jobUid, state)));
    const run = jobUid && (await expiries.runs.read({ cluster: key.cluster, jobUid }));
    return run === undefined ? 0 : this.#renewRun(expiries, run);
  }

  /** A run that cannot be decoded keeps its expiry. */
  async #renewRun({ runs }: ProjectionExpiries, run: ExpiringJob): Promise<number> {
    const { key, state } = run;
    const record = readableRecord(key.jobUid, { bytes: state });
    return record === undefined ? 0 : this.#renewState(runs, { ...run, jobNames: jobNamesOf(record) });
  }

  /** After a conflict, the state has the expiry of the first writer. The second round corrects it if needed. */
  async #renewState(expiries: JobExpiries, { key, version, ...ended }: RenewedJob): Promise<number> {
    const next = this.#expiryOf({ key, ...ended });
    if (next === undefined) return 0;
    return (await expiries.setState(key, { version, expiresAt: next })) === "written" ? 1 : 0;
  }

  /** The new expiry of a state; `undefined`: it keeps its expiry. */
  #expiryOf({ key, namespace, name, endedAt, expiresAt, jobNames }: Omit<RenewedJob, "version">): Instant | undefined {
    if (expiresAt === undefined) return undefined;
    const ended = { cluster: key.cluster, namespace, name, endedAt, expiresAt, jobNames };
    return renewedExpiry(ended, this.#context.retention, this.#run.now());
  }

  /** The rows of a Job whose expiry was changed. */
  async #renew(expiries: JobExpiries, job: ExpiringJob): Promise<number> {
    const { key, namespace, name, expiresAt, state } = job;
    const { retention } = this.#context;
    const now = this.#run.now();
    const named = { cluster: key.cluster, namespace, name };
    const next = this.#expiryOf(job);
    let changed = await this.#renewState(expiries, job);
    if (!isLargeState(state)) return changed;
    for await (const page of expiries.listPages(key)) {
      const owner = { ...named, stateExpiresAt: next ?? expiresAt };
      const renewed = renewedPageExpiry(page.expiresAt, owner, { retention, now });
      if (renewed !== undefined && (await expiries.setPage(key, page, renewed)) === "written") changed += 1;
    }
    return changed;
  }
}

interface RenewedJob extends Omit<ExpiringJob, "state"> {
  /** Of a run. */
  readonly jobNames?: readonly string[] | undefined;
}

/** The progress after a page. The round ends if there is no next one. */
function advanced({ position, ...before }: RenewalProgress, { jobs, changed, next }: Visited): RenewalProgress {
  return {
    ...before,
    ...(next && { position: next }),
    rounds: before.rounds + (next === undefined ? 1 : 0),
    jobs: (position === undefined ? 0 : before.jobs) + jobs,
    changed: before.changed + changed,
  };
}

/** Whether a list comes after another one. Namespaces are in the order of their records. */
function isAfter(other: RenewalPosition, position: RenewalPosition): boolean {
  if (other.projection !== position.projection) return other.projection > position.projection;
  if (other.content !== position.content) return other.content === "runs";
  return Buffer.compare(Buffer.from(other.namespace), Buffer.from(position.namespace)) > 0;
}
