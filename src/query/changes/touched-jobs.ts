import { isJobFact, type JobFact } from "../../job/model/fact.ts";
import type { ClusterName, JobUid } from "../../job/model/ids.ts";
import { emptyJob, joinFacts, type JobRecord } from "../../job/model/job-record.ts";
import type { LogKey } from "../../ports/log.ts";
import { readJob } from "../../projection/job-state/read-job.ts";
import { decodeSegment } from "../../segment/decode-segment.ts";
import type { FollowedSegment } from "./follow-log.ts";
import type { QueryPorts } from "../ports.ts";

/** What one segment did to one Job. */
export interface TouchedJob {
  readonly jobUid: JobUid;
  /** What the segment says of it. */
  readonly facts: readonly JobFact[];
  /** The Job by all segments before this one, and with it; absent where there are too many to read each time. */
  readonly fold?: { readonly before: JobRecord; readonly after: JobRecord };
  /** For a segment that came behind others: the Job by all segments there are without this one, and with it. */
  readonly behind?: { readonly before: JobRecord; readonly after: JobRecord };
}

/** A Job of more segments than this is not folded again for each of them: what its own object says is told as it is. */
const MAX_FOLDED = 64;
/** Opened segments that are kept: the Jobs of a segment share those before it. */
const MAX_OPENED = 128;

/** Works out what segments did to Jobs, one segment after the other. Remembers what it opened: use one for a run of segments. */
export class JobToucher {
  readonly #ports: QueryPorts;
  readonly #cluster: ClusterName;
  readonly #opened = new Map<string, ReadonlyMap<JobUid, readonly JobFact[]>>();

  constructor(ports: QueryPorts, cluster: ClusterName) {
    this.#ports = ports;
    this.#cluster = cluster;
  }

  /** The Jobs that the segment is about, by uid. */
  async *touch({ segment, sk, isBehind }: FollowedSegment): AsyncGenerator<TouchedJob> {
    const byJob = factsByJob(segment.facts.filter(isJobFact));
    this.#keep(sk, byJob);
    for (const [jobUid, facts] of [...byJob].sort(([a], [b]) => (a < b ? -1 : 1))) {
      yield { jobUid, facts, ...(await this.#folds(jobUid, { sk, facts, isBehind })) };
    }
  }

  async #folds(
    jobUid: JobUid,
    { sk, facts, isBehind }: { readonly sk: string; readonly facts: readonly JobFact[]; readonly isBehind: boolean },
  ): Promise<Pick<TouchedJob, "fold" | "behind">> {
    const keys = await this.#keysOf(jobUid);
    const earlier = keys.filter((key) => key.sk < sk);
    if (earlier.length > MAX_FOLDED) return {};
    const before = await this.#join(emptyJob(jobUid), earlier);
    const after = joinFacts(before, facts);
    const later = keys.filter((key) => key.sk > sk);
    if (!isBehind || later.length === 0 || keys.length > MAX_FOLDED) return { fold: { before, after } };
    const without = await this.#join(before, later);
    return { fold: { before, after }, behind: { before: without, after: joinFacts(without, facts) } };
  }

  /** One more than is folded, to tell that there are too many. */
  async #keysOf(jobUid: JobUid): Promise<readonly LogKey[]> {
    const view = await readJob(this.#ports.jobs, { cluster: this.#cluster, jobUid });
    const keys: LogKey[] = [];
    // A projection may be a moment behind the log: then the segment in hand is not among these.
    for await (const key of view?.logKeys() ?? []) {
      keys.push(key);
      if (keys.length > 2 * MAX_FOLDED) break;
    }
    return keys;
  }

  async #join(record: JobRecord, keys: readonly LogKey[]): Promise<JobRecord> {
    let joined = record;
    for (const key of keys) joined = joinFacts(joined, (await this.#open(key)).get(record.job.uid) ?? []);
    return joined;
  }

  async #open(key: LogKey): Promise<ReadonlyMap<JobUid, readonly JobFact[]>> {
    const known = this.#opened.get(key.sk);
    if (known !== undefined) return known;
    const item = await this.#ports.log.read(key);
    const decoded = item && decodeSegment(item.bytes);
    const facts = decoded?.outcome === "decoded" ? decoded.segment.facts.filter(isJobFact) : [];
    return this.#keep(key.sk, factsByJob(facts));
  }

  #keep(sk: string, facts: ReadonlyMap<JobUid, readonly JobFact[]>): ReadonlyMap<JobUid, readonly JobFact[]> {
    const [oldest] = this.#opened.keys();
    if (this.#opened.size >= MAX_OPENED && oldest !== undefined) this.#opened.delete(oldest);
    this.#opened.set(sk, facts);
    return facts;
  }
}

function factsByJob(facts: readonly JobFact[]): ReadonlyMap<JobUid, readonly JobFact[]> {
  return Map.groupBy(facts, ({ jobUid }) => jobUid);
}
