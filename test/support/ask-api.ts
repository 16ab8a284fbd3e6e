import type { Access } from "../../src/http/access.ts";
import { type ApiStores, createApi } from "../../src/http/create-api.ts";
import type { JobAnswer } from "../../src/job/answer.ts";
import { storesWith } from "./listed-job.ts";

/** When the API under test is asked. */
const NOW = Date.parse("2026-01-02T00:00:00Z");

/** The API over stores in memory whose lists hold `jobs`. Errors that become "500" are thrown again in the test. */
export async function apiWith(jobs: readonly JobAnswer[], access: Access = { kind: "inProcess" }) {
  const ports = await storesWith(jobs);
  return apiOver(
    { projections: { open: () => ports.jobs, clear: async () => {} }, meta: ports.meta, log: ports.log },
    access,
  );
}

export function apiOver(stores: ApiStores, access: Access = { kind: "inProcess" }) {
  const errors: Error[] = [];
  const app = createApi({ stores, access, now: () => NOW, version: "0.0.0", onError: (error) => errors.push(error) });
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
