import type { CronJobObserved } from "../../job/model/fact.ts";

/** The most CronJobs to remember. The next observation of a forgotten CronJob is sent without waiting. */
const MAX_CRON_JOBS = 20_000;

/**
 * Remembers the spec of each CronJob that was passed on, by its generation. An observation of a known spec differs in
 * the times of runs only, so it can wait. A changed schedule cannot: it decides which runs count as missed.
 */
export class KnownSpecs {
  readonly #generations = new Map<string, number>();

  /** Whether the spec of this observation is known. Remembers it. */
  isKnown({ cronJobUid, generation }: CronJobObserved): boolean {
    const known = this.#generations.get(cronJobUid);
    if (known === generation) return true;
    if (known === undefined && this.#generations.size >= MAX_CRON_JOBS) this.#forgetOldest();
    this.#generations.set(cronJobUid, generation);
    return false;
  }

  #forgetOldest(): void {
    for (const oldest of this.#generations.keys()) {
      this.#generations.delete(oldest);
      return;
    }
  }
}
