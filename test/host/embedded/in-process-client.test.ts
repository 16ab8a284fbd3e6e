import { describe, expect, it } from "vitest";
import { inProcessClient } from "../../../src/host/embedded/in-process-client.ts";
import type { ApiStores } from "../../../src/http/create-api.ts";
import { listedJob, storesWith } from "../../support/story/listed-job.ts";
import { storesOver } from "../../support/stores/stores-with-facts.ts";

/** Stores whose projections cannot be opened while `isBroken` returns true. */
async function stores(isBroken: () => boolean): Promise<ApiStores> {
  const { projections, meta, log } = storesOver(await storesWith([listedJob()]));
  return {
    meta,
    log,
    projections: {
      ...projections,
      open: (name) => {
        if (isBroken()) throw new Error("The file is damaged.");
        return projections.open(name);
      },
    },
  };
}

describe("a client of the API in the same process", () => {
  it("rejects with the error of the handler instead of status 500", async () => {
    const client = inProcessClient(await stores(() => true), "test");
    await expect(client.request("/v1/jobs")).rejects.toThrow("The file is damaged.");
  });

  it("answers the next request after one that failed", async () => {
    let isBroken = true;
    const client = inProcessClient(await stores(() => isBroken), "test");
    await expect(client.request("/v1/jobs")).rejects.toThrow("The file is damaged.");
    isBroken = false;
    expect((await client.request("/v1/jobs")).status).toBe(200);
  });

  it("does not fail a request because another one fails at the same time", async () => {
    const client = inProcessClient(await stores(() => true), "test");
    const [failed, answered] = await Promise.allSettled([client.request("/v1/jobs"), client.request("/v1/healthz")]);
    expect(failed.status).toBe("rejected");
    expect(answered).toMatchObject({ status: "fulfilled", value: { status: 200 } });
  });
});
