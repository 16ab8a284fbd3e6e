import type { PodReservation, ReservationStep } from "./pod-reservation.ts";
import { addToSums, type GrowingSums, type Usage, type UsageClass } from "./usage.ts";

/** Adds up what Pods reserved, in any order. */
export class UsageSum {
  #pods = 0;
  #isAtMost = false;
  readonly #podTime: GrowingSums = new Map();
  readonly #resources = new Map<string, GrowingSums>();

  /** `work` is the class of the time between the beginning and the end of its work. */
  add(reservation: PodReservation, work: UsageClass): void {
    const { boundAt, beganAt, doneAt, endedAt, isExact } = reservation;
    this.#pods += 1;
    if (!isExact) this.#isAtMost = true;
    this.#part("startUp", { from: boundAt, to: beganAt }, reservation.steps);
    this.#part(work, { from: beganAt, to: doneAt }, reservation.steps);
    this.#part("idle", { from: doneAt, to: endedAt }, reservation.steps);
  }

  /** Moves the work of a Pod that was added into another class. */
  move({ beganAt, doneAt, steps }: PodReservation, from: UsageClass, to: UsageClass): void {
    this.#part(from, { from: beganAt, to: doneAt, sign: -1n }, steps);
    this.#part(to, { from: beganAt, to: doneAt }, steps);
  }

  sum(): Usage {
    return { pods: this.#pods, isAtMost: this.#isAtMost, podTime: this.#podTime, resources: this.#resources };
  }

  #part(of: UsageClass, { from, to, sign = 1n }: Interval, steps: readonly ReservationStep[]): void {
    addToSums(this.#podTime, of, sign * BigInt(to - from));
    for (const [index, step] of steps.entries()) {
      const since = index === 0 ? from : Math.max(from, step.from);
      const until = Math.min(to, steps[index + 1]?.from ?? to);
      const millis = sign * BigInt(Math.max(0, until - since));
      for (const [resource, amount] of step.requests) this.#add(resource, of, millis * amount);
    }
  }

  #add(resource: string, of: UsageClass, amount: bigint): void {
    const sums = this.#resources.get(resource) ?? new Map<UsageClass, bigint>();
    this.#resources.set(resource, sums);
    addToSums(sums, of, amount);
  }
}

interface Interval {
  readonly from: number;
  readonly to: number;
  /** Whether its amounts are added or taken away. @default added */
  readonly sign?: 1n | -1n;
}
