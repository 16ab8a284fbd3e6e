import { seededRandom } from "../fault-run/seeded-random.ts";

/** The kinds of faults, in the order of the report. */
export const FAULT_KINDS = [
  "kill",
  "stop",
  "disk full",
  "clock jump",
  "throttle",
  "duplicate",
  "reorder",
  "corrupt",
  "partition",
  "compaction",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** One fault: what is done to which part, from when on, and for how long. */
export interface Fault {
  readonly kind: FaultKind;
  /** A name of {@link Targets}. */
  readonly target: string;
  /** Milliseconds since the start of the run. */
  readonly atMillis: number;
  readonly forMillis: number;
  /** By how much the clock jumps. Only of a clock jump. */
  readonly byMillis?: number;
}

/** The parts that each kind of fault can hit. */
export type Targets = Readonly<Record<FaultKind, readonly string[]>>;

export interface ScheduleOptions {
  readonly seed: number;
  readonly minutes: number;
  readonly targets: Targets;
}

/** How often each kind is dealt before all kinds are dealt again. */
const WEIGHTS: Readonly<Record<FaultKind, number>> = {
  kill: 4,
  stop: 3,
  "disk full": 2,
  "clock jump": 1,
  throttle: 2,
  duplicate: 1,
  reorder: 1,
  corrupt: 1,
  partition: 3,
  compaction: 1,
};

const LEAST_PAUSE_MILLIS = 1500;
const MOST_PAUSE_MILLIS = 6000;
const LEAST_MILLIS = 500;
/** The longest fault of a run of one minute; it grows with the length of the run. */
const MOST_MILLIS_PER_MINUTE = 6000;
const MOST_MILLIS = 120_000;
/**
 * Below ten minutes: the tracker sets aside what was sealed further in its future, because nothing else bounds an
 * exporter's clock (docs/exporter.md).
 */
const JUMPS_MILLIS = [-480_000, -90_000, -3000, 3000, 90_000, 480_000] as const;

/** The faults of a run. The same options give the same faults. */
export function scheduleOf({ seed, minutes, targets }: ScheduleOptions): readonly Fault[] {
  const random = seededRandom(seed);
  const end = minutes * 60_000;
  const most = Math.min(MOST_MILLIS, MOST_MILLIS_PER_MINUTE * minutes);
  const deal = dealer(random);
  const faults: Fault[] = [];
  let clockIsRightAt = 0;
  for (let at = pauseOf(random); at < end; at += pauseOf(random)) {
    const kind = deal();
    const target = pick(random, targets[kind]);
    const forMillis = Math.round(LEAST_MILLIS + random() ** 2 * (most - LEAST_MILLIS));
    const byMillis = pick(random, JUMPS_MILLIS);
    if (target === undefined || byMillis === undefined) continue;
    const fault = { kind, target, atMillis: Math.floor(at), forMillis };
    if (kind !== "clock jump") faults.push(fault);
    // Two wrong clocks can differ by more than each may be wrong.
    else if (at >= clockIsRightAt) {
      clockIsRightAt = at + forMillis + MOST_PAUSE_MILLIS;
      faults.push({ ...fault, byMillis });
    }
  }
  return faults;
}

function pauseOf(random: () => number): number {
  return LEAST_PAUSE_MILLIS + random() * (MOST_PAUSE_MILLIS - LEAST_PAUSE_MILLIS);
}

function pick<Item>(random: () => number, items: readonly Item[]): Item | undefined {
  return items[Math.floor(random() * items.length)];
}

/** Deals all kinds in a random order, by their weights, again and again: a short run has each of them. */
function dealer(random: () => number): () => FaultKind {
  let deck: FaultKind[] = [];
  return () => {
    if (deck.length === 0) deck = shuffled(random);
    return deck.pop() ?? "kill";
  };
}

function shuffled(random: () => number): FaultKind[] {
  return FAULT_KINDS.flatMap((kind) => Array.from({ length: WEIGHTS[kind] }, () => kind))
    .map((kind) => ({ kind, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ kind }) => kind);
}
