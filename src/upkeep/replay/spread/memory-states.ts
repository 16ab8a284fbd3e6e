import type { StoredJob } from "../../../ports/job-row.ts";
import type { JobKey, StateStore } from "../../../ports/jobs.ts";
import { decodeJobState, encodeJobState } from "../../../projection/job-state/job-state.ts";
import { wholeState } from "../../../projection/job-state/join-job-state.ts";
import { pagesOf } from "../../../projection/pages/job-pages.ts";
import { jobText } from "./job-text.ts";

interface KnownJob {
  readonly key: JobKey;
  readonly stored: StoredJob;
}

/** The states of Jobs as if the log had a few segments only. They are in memory until they are spread. */
export class MemoryStates implements StateStore {
  readonly #jobs = new Map<string, KnownJob>();
  readonly #pages = new Map<string, Uint8Array>();
  #bytes = 0;

  /** How many Jobs there are. */
  get size(): number {
    return this.#jobs.size;
  }

  /** The bytes of all states and pages that were written. */
  get bytes(): number {
    return this.#bytes;
  }

  async read(key: JobKey): Promise<StoredJob | undefined> {
    return this.#jobs.get(jobText(key))?.stored;
  }

  async write(key: JobKey, state: Pick<StoredJob, "bytes" | "row">, expected: number) {
    const name = jobText(key);
    const known = this.#jobs.get(name)?.stored;
    if ((known?.version ?? 0) !== expected) return { outcome: "conflict" } as const;
    const version = expected + 1;
    this.#jobs.set(name, { key, stored: { ...state, version } });
    this.#bytes += state.bytes.length - (known?.bytes.length ?? 0);
    return { outcome: "written", version } as const;
  }

  async readPage(key: JobKey, hash: string): Promise<Uint8Array | undefined> {
    return this.#pages.get(`${jobText(key)} ${hash}`);
  }

  async writePage(key: JobKey, hash: string, bytes: Uint8Array): Promise<void> {
    const name = `${jobText(key)} ${hash}`;
    if (!this.#pages.has(name)) this.#bytes += bytes.length;
    this.#pages.set(name, bytes);
  }

  /** The states, none of which refers to a page. */
  async whole(): Promise<readonly (readonly [JobKey, Uint8Array])[]> {
    const all: (readonly [JobKey, Uint8Array])[] = [];
    for (const { key, stored } of this.#jobs.values()) {
      const state = decodeJobState(key.jobUid, stored.bytes);
      const isWhole = state.layout === "inline" && state.segments.kind === "few";
      all.push([key, isWhole ? stored.bytes : encodeJobState(await wholeState(state, pagesOf(this, key)))]);
    }
    return all;
  }
}
