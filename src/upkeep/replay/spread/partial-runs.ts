import { canonical } from "../../../job/model/canonical.ts";
import type { RunFact } from "../../../job/model/fact.ts";
import { decodeJobUid, type JobUid } from "../../../job/model/ids.ts";
import type { JobKey } from "../../../ports/jobs.ts";
import type { RunGroup } from "../../../projection/group-facts.ts";
import { unwrap, wrap } from "../../../segment/envelope.ts";
import { jobText } from "./job-text.ts";
import type { SpreadEntry } from "./spread-objects.ts";

/** What some segments have about a run: facts, and which Jobs name it. */
export interface PartialRun {
  readonly facts: readonly RunFact[];
  readonly jobs: ReadonlySet<JobUid>;
}

interface KnownRun {
  readonly key: JobKey;
  /** By their text. */
  readonly facts: Map<string, RunFact>;
  readonly jobs: Set<JobUid>;
}

/** Runs as if the log had a few segments only. They are in memory until they are spread. */
export class PartialRuns {
  readonly #runs = new Map<string, KnownRun>();
  #bytes = 0;

  /** About what the facts take. */
  get bytes(): number {
    return this.#bytes;
  }

  add(groups: readonly RunGroup[]): void {
    for (const { key, facts, jobs } of groups) {
      const run = this.#at(key);
      for (const fact of facts) {
        const text = canonical(fact);
        if (!run.facts.has(text)) this.#bytes += text.length;
        run.facts.set(text, fact);
      }
      for (const jobUid of jobs) run.jobs.add(jobUid);
    }
  }

  entries(): readonly SpreadEntry[] {
    return [...this.#runs.values()].map(({ key, facts, jobs }) => [
      key,
      encodePartialRun({ facts: [...facts.values()], jobs }),
    ]);
  }

  #at(key: JobKey): KnownRun {
    const name = jobText(key);
    const run = this.#runs.get(name) ?? { key, facts: new Map<string, RunFact>(), jobs: new Set<JobUid>() };
    this.#runs.set(name, run);
    return run;
  }
}

export function encodePartialRun({ facts, jobs }: PartialRun): Uint8Array {
  return wrap(canonical([facts, [...jobs]]), 3).bytes;
}

/** The inverse of {@link encodePartialRun}. The object of a bucket is one that this replay has written. */
export function decodePartialRun(bytes: Uint8Array): PartialRun {
  const unwrapped = unwrap(bytes);
  if (unwrapped.outcome === "rejected") {
    throw new TypeError(`A run that was spread cannot be read. ${unwrapped.reason}`);
  }
  const [facts, jobs] = JSON.parse(unwrapped.text) as readonly [readonly RunFact[], readonly string[]];
  return { facts, jobs: new Set(jobs.flatMap((uid) => decodeJobUid(uid) ?? [])) };
}
