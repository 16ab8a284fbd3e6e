import type { CountingRules } from "../accounting/counting-rules.ts";
import type { CauseContext } from "../cause/cause-of-pod.ts";
import type { ContainerEnded } from "../model/fact.ts";
import type { Instant } from "../model/instant.ts";
import type { JobSpec } from "../model/job-spec.ts";
import type { PodRecord } from "../model/pod-record.ts";
import { type PodReservation, reservationOf } from "./pod-reservation.ts";
import { SurplusSuccesses } from "./surplus-successes.ts";
import type { UsageByGroup } from "./usage.ts";
import { UsageSum } from "./usage-sum.ts";
import { workClassOf, type WorkClass } from "./work-class.ts";

export interface UsageContext extends CauseContext {
  readonly spec: JobSpec;
  readonly rules: CountingRules;
  readonly now: Instant;
  /** Leaves out Pods that have not ended. @default false */
  readonly endedOnly?: boolean;
}

/**
 * Visits every Pod of a Job once, in any order, and adds up what they reserved. If more Pods succeeded than count, it
 * visits all of them once more, to find those that do not: its memory does not grow with the Pods of a Job.
 */
export class UsageSearch {
  readonly #context: UsageContext;
  readonly #groupOf: (pod: PodRecord) => string;
  readonly #sums = new Map<string, UsageSum>();
  readonly #surplus: SurplusSuccesses;
  /** A Pod whose facts do not say what it reserved: they were recorded by an earlier release. */
  #isUnknown = false;
  #hasPassed = false;

  /** `groupOf`: the group to which a Pod counts. @default all Pods are one group */
  constructor(context: UsageContext, groupOf = (_pod: PodRecord): string => "") {
    this.#context = context;
    this.#groupOf = groupOf;
    this.#surplus = new SurplusSuccesses(context.spec);
  }

  visit(pod: PodRecord): void {
    const reservation = this.#reservationOf(pod);
    if (reservation === undefined || (this.#context.endedOnly === true && !reservation.isOver)) return;
    if (pod.reserved === undefined) this.#isUnknown = true;
    const work = this.#classOf(pod, reservation);
    if (work === "success") this.#surplus.count(pod);
    this.#sumOf(pod).add(reservation, work === "success" ? "kept" : work);
  }

  /** The second visit of every Pod; `undefined` if it is not needed. */
  nextPass(): ((pod: PodRecord) => void) | undefined {
    if (this.#hasPassed || this.#isUnknown || !this.#surplus.hasAny()) return undefined;
    this.#hasPassed = true;
    return (pod) => {
      const reservation = this.#reservationOf(pod);
      if (reservation !== undefined && this.#classOf(pod, reservation) === "success") {
        this.#surplus.visit({ pod, reservation });
      }
    };
  }

  /** What each group reserved, once all Pods were visited. `undefined` if what a Pod reserved is not known. */
  found(): UsageByGroup | undefined {
    if (this.#isUnknown) return undefined;
    for (const { pod, reservation } of this.#surplus.take()) this.#sumOf(pod).move(reservation, "kept", "duplicate");
    return new Map([...this.#sums].map(([group, sum]) => [group, sum.hours()]));
  }

  #sumOf(pod: PodRecord): UsageSum {
    const group = this.#groupOf(pod);
    const sum = this.#sums.get(group) ?? new UsageSum();
    this.#sums.set(group, sum);
    return sum;
  }

  #reservationOf(pod: PodRecord): PodReservation | undefined {
    const { now, spec } = this.#context;
    const restarts = ({ exitCode }: ContainerEnded): boolean => spec.restartPolicy === "OnFailure" && exitCode !== 0;
    return reservationOf(pod, { now, restarts });
  }

  #classOf(pod: PodRecord, reservation: PodReservation): WorkClass {
    return workClassOf(pod, reservation, this.#context);
  }
}
