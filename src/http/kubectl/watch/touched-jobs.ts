import { nextTurn } from "../../../ports/concurrency/fair-turns.ts";
import { compareText } from "../../../job/model/compare-text.ts";
import { isJobFact, type JobFact } from "../../../job/model/fact.ts";
import type { ClusterName, JobUid } from "../../../job/model/ids.ts";
import { emptyJob, joinFacts, type JobRecord } from "../../../job/model/job-record.ts";
import type { LogKey } from "../../../ports/log.ts";
import { viewJob } from "../../../projection/job-state/read-job.ts";
import { decodeSegment } from "../../../segment/decode-segment.ts";
import type { FollowedSegment } from "../../../query/changes/follow-log.ts";
import { mayRead, type Scope } from "../../../query/access/scope.ts";
import type { StoredJob } from "../../../ports/job-row.ts";
import type { QueryPorts } from "../../../query/ports.ts";

/** The effect of one segment on one Job. */
export interface TouchedJob {
  readonly jobUid: JobUid;
  /** The segment's facts about the Job. */
  readonly facts: readonly JobFact[];
  /** The Job from all segments before this one, and with it. Absent if there are too many segments. */
  readonly fold?: { readonly before: JobRecord; readonly after: JobRecord };
  /** For a segment that arrived after later ones: the Job from all other segments, and with this one. */
  readonly behind?: { readonly before: JobRecord; readonly after: JobRecord };
}

/**
 * The most segments of a Job that is folded again for each segment. For a larger Job, only facts about its own object
 * count.
 */
const MAX_FOLDED = 64;
/** How many decoded segments are cached. The Jobs of a segment share earlier segments. */
const MAX_OPENED = 128;
/** How many Jobs are remembered. */
const MAX_KNOWN = 1_000;

/** Computes the effects of segments on Jobs. Caches decoded segments, so use one instance for a run of segments. */
export class SegmentEffects {
  readonly #ports: QueryPorts;
  readonly #cluster: ClusterName;
  readonly #scope: Scope;
  readonly #opened = new Map<string, ReadonlyMap<JobUid, readonly JobFact[]>>();
  readonly #known = new Map<JobUid, KnownJob>();

  /** Jobs outside of the scope are skipped. */
  constructor(ports: QueryPorts, { cluster, scope }: { readonly cluster: ClusterName; readonly scope: Scope }) {
    this.#ports = ports;
    this.#scope = scope;
    this.#cluster = cluster;
  }

  /** The Jobs with facts in the segment, sorted by uid. */
  async *touch({ segment, key, isBehind }: FollowedSegment): AsyncGenerator<TouchedJob> {
    await nextTurn(this.#ports);
    const { sk } = key;
    const byJob = factsByJob(segment.facts.filter(isJobFact));
    const readable = new Map<JobUid, LogKey[]>();
    for (const jobUid of [...byJob.keys()].sort(compareText)) {
      const keys = await this.#read(jobUid);
      if (keys === OUT_OF_SCOPE) byJob.delete(jobUid);
      else readable.set(jobUid, keys);
    }
    if (byJob.size > 0) this.#keep(sk, byJob);
    for (const [jobUid, keys] of readable) {
      await nextTurn(this.#ports);
      const facts = byJob.get(jobUid) ?? [];
      yield { jobUid, facts, ...(await this.#folds(jobUid, { sk, facts, isBehind, keys })) };
      // The projection may not have applied this segment when the Job was read.
      if (!keys.some((known) => known.sk === sk)) keys.push(key);
    }
  }

  /**
   * The segments of the Job, which is read once for all segments of a run. Jobs outside of the scope are not read
   * further.
   */
  async #read(jobUid: JobUid): Promise<KnownJob> {
    const known = this.#known.get(jobUid);
    if (known !== undefined) return known;
    const stored = await this.#ports.jobs.read({ cluster: this.#cluster, jobUid });
    const namespace = stored?.row?.namespace;
    const isReadable = namespace === undefined || mayRead(this.#scope, this.#cluster, namespace);
    const read = isReadable ? await this.#keysOf(jobUid, stored) : OUT_OF_SCOPE;
    if (this.#known.size < MAX_KNOWN) this.#known.set(jobUid, read);
    return read;
  }

  async #folds(
    jobUid: JobUid,
    { sk, facts, isBehind, keys }: TouchingFacts,
  ): Promise<Pick<TouchedJob, "fold" | "behind">> {
    const earlier = keys.filter((key) => key.sk < sk);
    if (earlier.length > MAX_FOLDED) return {};
    const before = await this.#join(emptyJob(jobUid), earlier);
    const after = joinFacts(before, facts);
    const later = keys.filter((key) => key.sk > sk);
    if (!isBehind || later.length === 0 || keys.length > MAX_FOLDED) return { fold: { before, after } };
    const without = await this.#join(before, later);
    return { fold: { before, after }, behind: { before: without, after: joinFacts(without, facts) } };
  }

  /** Reads only as many keys as are needed to notice that there are too many. */
  async #keysOf(jobUid: JobUid, stored: StoredJob | undefined): Promise<LogKey[]> {
    const view = stored && viewJob(this.#ports.jobs, { cluster: this.#cluster, jobUid }, stored);
    const keys: LogKey[] = [];
    // A projection may lag behind the log. The current segment is then not among these keys.
    for await (const key of view?.logKeys() ?? []) {
      keys.push(key);
      if (keys.length > 2 * MAX_FOLDED) break;
    }
    return keys;
  }

  async #join(record: JobRecord, keys: readonly LogKey[]): Promise<JobRecord> {
    let joined = record;
    for (const key of keys) {
      await nextTurn(this.#ports);
      joined = joinFacts(joined, (await this.#open(key)).get(record.job.uid) ?? []);
    }
    return joined;
  }

  async #open(key: LogKey): Promise<ReadonlyMap<JobUid, readonly JobFact[]>> {
    const known = this.#opened.get(key.sk);
    if (known !== undefined) return known;
    const item = await this.#ports.log.read(key);
    const decoded = item && decodeSegment(item.bytes);
    const byJob = factsByJob(decoded?.outcome === "decoded" ? decoded.segment.facts.filter(isJobFact) : []);
    for (const jobUid of byJob.keys()) if (this.#known.get(jobUid) === OUT_OF_SCOPE) byJob.delete(jobUid);
    return this.#keep(key.sk, byJob);
  }

  #keep(sk: string, facts: ReadonlyMap<JobUid, readonly JobFact[]>): ReadonlyMap<JobUid, readonly JobFact[]> {
    const [oldest] = this.#opened.keys();
    if (this.#opened.size >= MAX_OPENED && oldest !== undefined) this.#opened.delete(oldest);
    this.#opened.set(sk, facts);
    return facts;
  }
}

/** The facts of one segment about one Job, and the segments of the Job. */
interface TouchingFacts {
  readonly sk: string;
  readonly facts: readonly JobFact[];
  readonly isBehind: boolean;
  readonly keys: readonly LogKey[];
}

const OUT_OF_SCOPE = "out of scope";

/** The segments of a Job when a run first touched it, and those of this run. */
type KnownJob = LogKey[] | typeof OUT_OF_SCOPE;

function factsByJob(facts: readonly JobFact[]): Map<JobUid, readonly JobFact[]> {
  return Map.groupBy(facts, ({ jobUid }) => jobUid);
}
