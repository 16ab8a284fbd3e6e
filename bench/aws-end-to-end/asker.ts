import { setTimeout } from "node:timers/promises";
import type { ApiClient, JobPlace } from "../../test/end-to-end/aws/api-client.ts";

/** Asks an API of Jobs that it does not know yet, until it does. */
export interface Asker {
  /** Resolves when the API answers of the Job. Throws what a question throws. */
  answered(place: JobPlace): Promise<void>;
  stop(): void;
}

interface Waiting {
  readonly place: JobPlace;
  readonly resolve: () => void;
  readonly reject: (cause: unknown) => void;
}

/**
 * One question at a time and `pauseMillis` between two, however many Jobs wait: they take turns, so that what is
 * measured does not depend on how many there are.
 */
export function createAsker(api: ApiClient, pauseMillis: number): Asker {
  const waiting: Waiting[] = [];
  const stopped = new AbortController();
  void askInTurn(api, waiting, { pauseMillis, signal: stopped.signal });
  return {
    answered: (place) => new Promise((resolve, reject) => waiting.push({ place, resolve, reject })),
    stop: () => stopped.abort(),
  };
}

interface Pace {
  readonly pauseMillis: number;
  readonly signal: AbortSignal;
}

async function askInTurn(api: ApiClient, waiting: Waiting[], { pauseMillis, signal }: Pace): Promise<void> {
  while (!signal.aborted) {
    const next = waiting.shift();
    if (next !== undefined && !(await isAnswered(api, next))) waiting.push(next);
    await setTimeout(pauseMillis);
  }
}

async function isAnswered(api: ApiClient, { place, resolve, reject }: Waiting): Promise<boolean> {
  try {
    if ((await api.job(place)) === undefined) return false;
    resolve();
  } catch (cause) {
    reject(cause);
  }
  return true;
}
