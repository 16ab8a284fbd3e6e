import { setTimeout } from "node:timers/promises";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";

export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** The REST API of a deployed stack. */
export interface ApiClient {
  /** Asks again while the stage throttles, as every client of API Gateway has to: four lanes can exceed its rate. */
  ask(path: string, init?: RequestInit): Promise<Answered>;
  /** The Job as the API writes it, or nothing where it does not know it yet. */
  job(job: JobPlace): Promise<string | undefined>;
}

export type JobPlace = Pick<JobAnswer, "cluster" | "namespace" | "name" | "uid">;

/** Milliseconds before a throttled request is sent again. API Gateway names no `Retry-After`. */
const THROTTLED_PAUSE = 200;
/** A stage refills its burst within two seconds: one that still throttles after this many requests is broken. */
const MOST_REQUESTS = 100;

export function createApiClient(apiUrl: string): ApiClient {
  const ask: ApiClient["ask"] = async (path, init) => {
    let response = await fetch(`${apiUrl}${path}`, init);
    for (let sent = 1; response.status === 429 && sent < MOST_REQUESTS; sent += 1) {
      await response.body?.cancel();
      await setTimeout(THROTTLED_PAUSE);
      response = await fetch(`${apiUrl}${path}`, init);
    }
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  return {
    ask,
    job: async (job) => {
      const { status, text } = await ask(`${jobPath(job)}?uid=${job.uid}`);
      if (status === 404) return undefined;
      if (status !== 200) throw new Error(`${jobPath(job)} answers ${status}: ${text}`);
      return text;
    },
  };
}

export function jobPath({ cluster, namespace, name }: JobPlace): string {
  const [c, n, j] = [cluster, namespace, name].map(encodeURIComponent);
  return `/v1/clusters/${c}/namespaces/${n}/jobs/${j}`;
}
