import type { Fact } from "../../job/model/fact.ts";
import type { ErasureOfFact } from "../../segment/erase-facts.ts";
import type { Erasure, FactsOfCluster } from "./erasure.ts";

/** All erasures of a store. Most stores have none. */
export class ErasureFilter {
  readonly erasures: readonly Erasure[];

  constructor(erasures: readonly Erasure[]) {
    this.erasures = erasures;
  }

  /** Whether the filter can concern facts of a cluster at all. */
  concerns(cluster: string): boolean {
    return this.erasures.some(({ scope }) => scope.cluster === cluster);
  }

  /** Whether there is an erasure of a cluster with this id. */
  knowsId(id: string, cluster: string): boolean {
    return this.erasures.some(({ scope }) => scope.id === id && scope.cluster === cluster);
  }

  /** For facts that arrived together: which erasure removes each of them, and what the erasures learned. */
  choose(segment: FactsOfCluster): ChosenFacts {
    const concerned = this.erasures.filter(({ scope }) => scope.cluster === segment.cluster);
    const learned = concerned.flatMap((erasure) =>
      erasure.learn(segment).map((hash) => ({ id: erasure.scope.id, hash })),
    );
    const erasureOf = (fact: Fact): string | undefined =>
      concerned.find((erasure) => erasure.isErased(segment.cluster, fact))?.scope.id;
    return { erasureOf, learned };
  }
}

export interface ChosenFacts {
  readonly erasureOf: ErasureOfFact;
  /** Salted hashes that no record has yet. */
  readonly learned: readonly { readonly id: string; readonly hash: string }[];
}
