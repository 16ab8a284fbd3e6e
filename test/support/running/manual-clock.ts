import type { Clock } from "../../../src/ports/runtime/clock.ts";

interface Timer {
  readonly milliseconds: number;
  readonly at: number;
  readonly call: () => void;
}

/** A clock that advances only on demand. Both of its times advance together, unless the wall clock is set. */
export class ManualClock implements Clock {
  #wall: number;
  #elapsed = 0;
  readonly #timers = new Set<Timer>();
  #awaited: { readonly milliseconds: number; readonly resolve: () => void }[] = [];

  constructor(now = Date.UTC(2026, 10, 21, 12)) {
    this.#wall = now;
  }

  now(): number {
    return this.#wall;
  }

  elapsed(): number {
    return this.#elapsed;
  }

  after(milliseconds: number, call: () => void): () => void {
    const timer = { milliseconds, at: this.#elapsed + milliseconds, call };
    this.#timers.add(timer);
    const awaited = this.#awaited.filter((one) => one.milliseconds === milliseconds);
    this.#awaited = this.#awaited.filter((one) => !awaited.includes(one));
    for (const { resolve } of awaited) resolve();
    return () => this.#timers.delete(timer);
  }

  /** Resolves when a timer of exactly this length is set. */
  async armed(milliseconds: number): Promise<void> {
    if ([...this.#timers].some((timer) => timer.milliseconds === milliseconds)) return;
    await new Promise<void>((resolve) => {
      this.#awaited.push({ milliseconds, resolve });
    });
  }

  /** The active timers. */
  get pending(): number {
    return this.#timers.size;
  }

  setWall(now: number): void {
    this.#wall = now;
  }

  /** Advances the time. Each timer fires at its time, and its effects are complete before the next one. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#elapsed + milliseconds;
    await settled();
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#timers.delete(next);
      this.#goTo(Math.max(next.at, this.#elapsed));
      next.call();
      await settled();
    }
    this.#goTo(end);
    await settled();
  }

  /** Advances the time as if the process were stopped: due timers fire late, at the end. */
  async freeze(milliseconds: number): Promise<void> {
    this.stop(milliseconds);
    await this.advance(0);
  }

  /** Advances the time as if the process were stopped, and no timer had fired since. */
  stop(milliseconds: number): void {
    this.#goTo(this.#elapsed + milliseconds);
  }

  #next(end: number): Timer | undefined {
    const due = [...this.#timers].filter(({ at }) => at <= end);
    return due.reduce<Timer | undefined>(
      (first, timer) => (first === undefined || timer.at < first.at ? timer : first),
      undefined,
    );
  }

  #goTo(elapsed: number): void {
    this.#wall += elapsed - this.#elapsed;
    this.#elapsed = elapsed;
  }
}

/** Resolves when all code that does not wait for a timer has run. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
