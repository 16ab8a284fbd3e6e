import type { Finding, PodRef } from "../../explain/answer-document.ts";
import { podName, podRef } from "../model/fact-ref.ts";
import { formatInstant, type Instant } from "../model/instant.ts";
import type { PodRecord } from "../model/pod-record.ts";
import { list } from "../../text/sentence.ts";

/** The most Pods a finding names; counts are exact. */
export const MAX_NAMED_PODS = 20;
/** The most Pods a sentence names. */
const MAX_LISTED_PODS = 5;

/** Counts the Pods it is given and keeps the first `most` by creation, ties by uid: the same ones in whatever order they come. */
export class PodSample {
  readonly #most: number;
  #count = 0;
  #kept: readonly PodRecord[] = [];

  constructor(most = MAX_NAMED_PODS) {
    this.#most = most;
  }

  get count(): number {
    return this.#count;
  }

  get pods(): readonly PodRecord[] {
    return this.#kept;
  }

  add(pod: PodRecord): void {
    this.#count += 1;
    const last = this.#kept.at(-1);
    if (this.#kept.length === this.#most && last !== undefined && byCreation(last, pod) < 0) return;
    this.#kept = [...this.#kept, pod].sort(byCreation).slice(0, this.#most);
  }

  /** As a finding names them. */
  get named(): Pick<Finding, "pods" | "podCount"> & { readonly pods: readonly PodRef[] } {
    return { pods: this.#kept.map(podRef), podCount: this.#count };
  }

  /** The first few by name, and how many more there are. */
  list(textOf: (pod: PodRecord) => string = podName): string {
    return list(this.#kept.map(textOf), MAX_LISTED_PODS, this.#count);
  }

  /** The earliest of the kept Pods' instants, as a finding's `since`. */
  since(sinceOf: (pod: PodRecord) => Instant | undefined): Pick<Finding, "since"> {
    const instants = this.#kept.map(sinceOf).filter((since) => since !== undefined);
    return instants.length === 0 ? {} : { since: formatInstant(Math.min(...instants)) };
  }
}

export function byCreation(a: PodRecord, b: PodRecord): number {
  const [at, bt] = [a.created?.createdAt ?? 0, b.created?.createdAt ?? 0];
  return at - bt || (a.uid < b.uid ? -1 : a.uid > b.uid ? 1 : 0);
}
