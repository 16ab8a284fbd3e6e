import { createHash } from "node:crypto";
import { decodeClusterName, decodeJobUid } from "../../../src/job/model/ids.ts";
import type { Instant } from "../../../src/job/model/instant.ts";
import type {
  ClearableProjections,
  FoundEntry,
  IdleJobs,
  ProjectionName,
  ScannedPage,
  ScannedPart,
  StoredEntry,
  WantedEntry,
} from "../../../src/ports/projections.ts";
import type { EncodedJobState, StoredJob } from "../../../src/ports/job-row.ts";
import type { JobKey, JobStore, PageOwner, WriteOutcome } from "../../../src/ports/jobs.ts";
import { MemoryJobStore } from "./memory-job-store.ts";

export class MemoryProjections implements ClearableProjections {
  readonly #stores = { A: new MemoryJobStore(), B: new MemoryJobStore() };

  readonly #runs = { A: new MemoryJobStore(), B: new MemoryJobStore() };

  open(name: ProjectionName): MemoryJobStore & JobStore {
    return this.#stores[name];
  }

  runs(name: ProjectionName): MemoryJobStore & JobStore {
    return this.#runs[name];
  }

  /** The same store as a projection that a replay corrects. */
  idle(name: ProjectionName): MemoryIdleJobs {
    return new MemoryIdleJobs(this.#stores[name]);
  }

  /** Its runs. */
  idleRuns(name: ProjectionName): MemoryIdleJobs {
    return new MemoryIdleJobs(this.#runs[name]);
  }

  async clear(name: ProjectionName): Promise<void> {
    this.#stores[name].states.clear();
    this.#stores[name].pages.clear();
    this.#runs[name].states.clear();
  }
}

/** The states of a page of a scan. */
const PAGE = 3;

/** A projection in memory that a replay corrects. */
export class MemoryIdleJobs implements IdleJobs {
  readonly #jobs: MemoryJobStore;

  readonly #keptUntil: Instant | undefined;

  /** `keptUntil`: when the retention of each Job ends. */
  constructor(jobs: MemoryJobStore, keptUntil?: Instant) {
    this.#jobs = jobs;
    this.#keptUntil = keptUntil;
  }

  async begin(): Promise<void> {}

  async *scan({ index, of }: ScannedPart, after = ""): AsyncGenerator<ScannedPage> {
    const names = [...this.#jobs.states.keys()].sort().filter((name) => name > after && partOf(name, of) === index);
    for (let from = 0; from < names.length; from += PAGE) {
      const some = names.slice(from, from + PAGE);
      const entries = some.flatMap((name): ScannedPage["entries"] => {
        const stored = this.#jobs.states.get(name);
        return stored === undefined ? [] : [[keyOf(name), entryOf(stored)]];
      });
      yield { entries, place: some.at(-1) ?? "" };
    }
  }

  async find(key: JobKey): Promise<FoundEntry | undefined> {
    const stored = await this.#jobs.read(key);
    if (stored === undefined) return undefined;
    const { bytes, row } = stored;
    return { ...entryOf(stored), bytes, ...(row && { summary: row.summary }) };
  }

  async entryOf(_: JobKey, state: EncodedJobState): Promise<WantedEntry> {
    return { digest: digestOf(state), ...(this.#keptUntil !== undefined && { keptUntil: this.#keptUntil }) };
  }

  async remove(key: JobKey, found: Pick<FoundEntry, "version" | "bytes">): Promise<"removed" | "conflict"> {
    const stored = await this.#jobs.read(key);
    if (stored?.version !== found.version || Buffer.compare(stored.bytes, found.bytes) !== 0) return "conflict";
    await this.#jobs.remove(key);
    return "removed";
  }

  read(key: JobKey): Promise<StoredJob | undefined> {
    return this.#jobs.read(key);
  }

  write(key: JobKey, state: EncodedJobState, expected: number): Promise<WriteOutcome> {
    return this.#jobs.write(key, state, expected);
  }

  readPage(key: JobKey, hash: string): Promise<Uint8Array | undefined> {
    return this.#jobs.readPage(key, hash);
  }

  writePage(key: PageOwner, hash: string, bytes: Uint8Array): Promise<void> {
    return this.#jobs.writePage(key, hash, bytes);
  }
}

function partOf(name: string, of: number): number {
  return createHash("sha256").update(name).digest().readUInt32BE(8) % of;
}

function keyOf(name: string): JobKey {
  const [cluster, uid] = name.split("|");
  const key = { cluster: decodeClusterName(cluster), jobUid: decodeJobUid(uid) };
  if (key.cluster === undefined || key.jobUid === undefined) throw new Error(`${name} is no Job.`);
  return { cluster: key.cluster, jobUid: key.jobUid };
}

function entryOf(stored: StoredJob): StoredEntry {
  return { version: stored.version, digest: digestOf(stored) };
}

function digestOf({ bytes, row }: EncodedJobState): Uint8Array {
  return createHash("sha256")
    .update(bytes)
    .update(JSON.stringify(row ?? ""))
    .digest()
    .subarray(0, 16);
}
