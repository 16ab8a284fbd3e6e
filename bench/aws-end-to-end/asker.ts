import { setTimeout } from "node:timers/promises";
import type { ApiClient, JobPlace } from "../../test/end-to-end/aws/api-client.ts";

/** Polls an API until it has answered with the given Jobs. */
export interface Asker {
  /** Resolves when the API has the Job. Throws the error of a query. */
  answered(place: JobPlace): Promise<void>;
  stop(): void;
}

interface Waiting {
  readonly place: JobPlace;
  readonly resolve: () => void;
  readonly reject: (cause: unknown) => void;
}

/**
 * One query at a time, with `pauseMillis` between two. Waiting Jobs take turns, so that their number does not affect
 * the figures.
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
