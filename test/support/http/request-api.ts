import type { Access } from "../../../src/http/access/access.ts";
import { type ApiStores, createApi } from "../../../src/http/create-api.ts";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import { createAcknowledgementWriter } from "../../../src/query/attention/acknowledge.ts";
import { storesWith } from "../story/listed-job.ts";
import { storesOver } from "../stores/stores-with-facts.ts";
import { API_PARTS } from "../../../src/host/optional/api-parts.ts";

/** The time of the API under test. */
const NOW = Date.parse("2026-01-02T00:00:00Z");

/** The API over stores in memory whose lists have `jobs`. Errors that cause a 500 are rethrown in the test. */
export async function apiWith(jobs: readonly JobAnswer[], access: Access = { kind: "inProcess" }) {
  return apiOver(storesOver(await storesWith(jobs)), access);
}

export function apiOver(stores: ApiStores, access: Access = { kind: "inProcess" }) {
  const errors: Error[] = [];
  // A wait only advances the clock.
  let now = NOW;
  const pause = async (milliseconds: number) => {
    now += milliseconds;
    return true;
  };
  const onError = (error: Error) => errors.push(error);
  const acknowledgements = createAcknowledgementWriter(stores.meta);
  const app = createApi({
    ...API_PARTS,
    stores,
    acknowledgements,
    access,
    now: () => now,
    pause,
    version: "0.0.0",
    onError,
  });
  const ask = async (path: string, init?: RequestInit) => {
    const response = await app.request(path, init);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === "" ? undefined : (JSON.parse(text) as unknown),
    };
  };
  return { app, ask, errors };
}
