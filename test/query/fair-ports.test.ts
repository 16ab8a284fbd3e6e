import { describe, expect, it } from "vitest";
import { fairPorts } from "../../src/query/fair-ports.ts";
import { clusterOf, listedJob, storesWith } from "../support/story/listed-job.ts";

describe("fair ports", () => {
  it("wait for a turn before each read, and return what the store returns", async () => {
    const stores = await storesWith([listedJob()]);
    let turns = 0;
    const fair = fairPorts(stores, () => {
      turns += 1;
      return Promise.resolve();
    });
    const partition = { cluster: clusterOf("east"), namespace: "batch" };
    expect(await fair.jobs.list(partition, { limit: 10 })).toEqual(await stores.jobs.list(partition, { limit: 10 }));
    expect(await fair.meta.list("cluster", { prefix: "", limit: 10 })).toEqual(
      await stores.meta.list("cluster", { prefix: "", limit: 10 }),
    );
    expect(turns).toBe(2);
  });

  it("have no counts if the store has none", async () => {
    const stores = await storesWith([]);
    expect("count" in fairPorts(stores, () => undefined).jobs).toBe("count" in stores.jobs);
  });
});
