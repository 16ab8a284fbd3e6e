import { type PodRef, podRef } from "../model/evidence.ts";
import type { Instant } from "../model/instant.ts";
import type { PodRecord } from "../model/pod-record.ts";

/** The most Pods that a finding names; counts are exact. */
export const MAX_NAMED_PODS = 20;

/** The Pods that a finding names. */
export interface NamedPods<Named extends PodRef = PodRef> {
  readonly pods: readonly Named[];
  readonly podCount: number;
}

/**
 * Counts Pods and keeps the first `most` by creation, ties by uid. The result does not depend on the order of arrival.
 */
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

  get named(): NamedPods {
    return this.namedWith(() => ({}));
  }

  /** The kept Pods, each with more details. */
  namedWith<Details extends object>(detailsOf: (pod: PodRecord) => Details): NamedPods<PodRef & Details> {
    return { pods: this.#kept.map((pod) => ({ ...podRef(pod), ...detailsOf(pod) })), podCount: this.#count };
  }

  /** The earliest instant among the kept Pods. */
  since(sinceOf: (pod: PodRecord) => Instant | undefined): { readonly since?: Instant } {
    const instants = this.#kept.map(sinceOf).filter((since) => since !== undefined);
    return instants.length === 0 ? {} : { since: Math.min(...instants) };
  }
}

export function byCreation(a: PodRecord, b: PodRecord): number {
  const [at, bt] = [a.created?.createdAt ?? 0, b.created?.createdAt ?? 0];
  return at - bt || (a.uid < b.uid ? -1 : a.uid > b.uid ? 1 : 0);
}
