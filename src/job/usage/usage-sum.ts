import { DAY_MILLIS, dayStart, HOUR_MILLIS, hourOf, type Instant } from "../model/instant.ts";
import type { PodReservation, ReservationStep } from "./pod-reservation.ts";
import {
  addToResource,
  addToSums,
  addUsage,
  type GrowingUsage,
  type HourlyUsage,
  newUsage,
  type SumClass,
} from "./usage.ts";

/**
 * Adds up what Pods reserved, in any order, by UTC hour. The time of a Pod or a Job of more than {@link MOST_PARTS}
 * hours is divided by days only; that of more days is not divided.
 */
export class UsageSum {
  readonly #hours = new Map<Instant, GrowingUsage>();

  /** `work` is the class of the time between the beginning and the end of its work. */
  add(reservation: PodReservation, work: SumClass): void {
    const { boundAt, beganAt, doneAt, endedAt, isExact } = reservation;
    this.#at(hourOf(boundAt)).pods += 1;
    this.#work(reservation, "startUp", { from: boundAt, to: beganAt });
    this.#work(reservation, work, { from: beganAt, to: doneAt });
    this.#work(reservation, "idle", { from: doneAt, to: endedAt });
    if (isExact) return;
    for (const { hour } of inHours(reservation, { from: boundAt, to: endedAt })) this.#at(hour).isAtMost = true;
  }

  /** Moves the work of a Pod that was added into another class. */
  move(reservation: PodReservation, from: SumClass, to: SumClass): void {
    const work = { from: reservation.beganAt, to: reservation.doneAt };
    this.#work(reservation, from, { ...work, sign: -1n });
    this.#work(reservation, to, work);
  }

  hours(): HourlyUsage {
    if (this.#hours.size <= MOST_PARTS) return this.#hours;
    const days = merged(this.#hours, dayStart);
    const first = Math.min(...days.keys());
    return days.size <= MOST_PARTS ? days : merged(days, () => first);
  }

  #work(reservation: PodReservation, of: SumClass, { sign = 1n, ...interval }: SignedInterval): void {
    for (const { hour, from, to } of inHours(reservation, interval)) {
      const into = this.#at(hour);
      addToSums(into.podTime, of, sign * BigInt(to - from));
      for (const [resource, amount] of amountsIn(reservation.steps, { from, to })) {
        addToResource(into, resource, { of, amount: sign * amount });
      }
    }
  }

  #at(hour: Instant): GrowingUsage {
    const known = this.#hours.get(hour) ?? newUsage();
    this.#hours.set(hour, known);
    return known;
  }
}

/** The most hours or days into which the time of a Pod or a Job is divided: 16 days by hours, or 400 days. */
const MOST_PARTS = 400;

interface Interval {
  readonly from: Instant;
  readonly to: Instant;
}

interface SignedInterval extends Interval {
  /** Whether its amounts are added or taken away. @default added */
  readonly sign?: 1n | -1n;
}

interface Part extends Interval {
  /** The hour to which it counts. */
  readonly hour: Instant;
}

/** The parts of an interval of a Pod by hour: nothing of an empty one. */
function* inHours({ boundAt, endedAt }: PodReservation, { from, to }: Interval): Generator<Part> {
  const length = endedAt - boundAt;
  if (length > MOST_PARTS * DAY_MILLIS) {
    yield { hour: hourOf(boundAt), from, to };
    return;
  }
  const unit = length > MOST_PARTS * HOUR_MILLIS ? DAY_MILLIS : HOUR_MILLIS;
  for (let at = from; at < to;) {
    const hour = Math.floor(at / unit) * unit;
    const end = Math.min(to, hour + unit);
    yield { hour, from: at, to: end };
    at = end;
  }
}

/** What the steps reserved in an interval: the first one applies from the beginning. */
function* amountsIn(
  steps: readonly ReservationStep[],
  { from, to }: Interval,
): Generator<readonly [resource: string, amount: bigint]> {
  for (const [index, step] of steps.entries()) {
    const since = index === 0 ? from : Math.max(from, step.from);
    const until = Math.min(to, steps[index + 1]?.from ?? to);
    const millis = BigInt(Math.max(0, until - since));
    for (const [resource, request] of step.requests) yield [resource, millis * request];
  }
}

function merged(hours: HourlyUsage, into: (hour: Instant) => Instant): HourlyUsage {
  const sums = new Map<Instant, GrowingUsage>();
  for (const [hour, usage] of hours) {
    const known = sums.get(into(hour)) ?? newUsage();
    sums.set(into(hour), known);
    addUsage(known, usage);
  }
  return sums;
}
