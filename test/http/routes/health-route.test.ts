import { describe, expect, it } from "vitest";
import { createApi } from "../../../src/http/create-api.ts";
import { rethrow } from "../../support/running/rethrow.ts";
import { storesOver } from "../../support/stores/stores-with-facts.ts";
import { storesWith } from "../../support/story/listed-job.ts";

interface Scene {
  readonly writeProblem?: string;
  readonly intakeProblem?: string;
}

async function openServer({ writeProblem, intakeProblem }: Scene = {}) {
  return createApi({
    stores: { ...storesOver(await storesWith([])), writeProblem: async () => writeProblem },
    access: { kind: "inProcess" },
    now: () => 0,
    version: "0",
    onError: rethrow,
    intakeProblem: () => intakeProblem,
  });
}

describe("a server that cannot add data", () => {
  it.each([{ writeProblem: "The disk is full." }, { intakeProblem: "The facts cannot be stored." }])(
    "is not ready and says why, but is healthy: %o",
    async (scene) => {
      const api = await openServer(scene);
      const ready = await api.request("/v1/readyz");
      const [reason] = Object.values(scene);
      expect([ready.status, await ready.json()]).toEqual([
        503,
        expect.objectContaining({ type: "urn:outlive:problem:not-ready", detail: `No data can be added. ${reason}` }),
      ]);
      expect((await api.request("/v1/healthz")).status).toBe(200);
    },
  );

  it("is ready when it can", async () => {
    expect((await (await openServer()).request("/v1/readyz")).status).toBe(200);
  });
});
