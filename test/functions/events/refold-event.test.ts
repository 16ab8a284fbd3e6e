import { describe, expect, it } from "vitest";
import { poison, projectingFunctions, segmentOf } from "../../support/aws/projecting-functions.ts";

describe("log keys in the refold queue", () => {
  it("are read from the log and projected", async () => {
    const { refold, stores, names } = projectingFunctions();
    const items = [segmentOf("render"), segmentOf("bake")];
    for (const item of items) await stores.log.append(item);
    expect(await refold(items.map(({ key }) => JSON.stringify(key)))).toEqual({ batchItemFailures: [] });
    expect(names()).toEqual(["bake", "render"]);
  });

  it("fail separately: invalid items, invalid keys, and unknown keys", async () => {
    const { refold, jobs, stores, told, names } = projectingFunctions();
    jobs.refused.set("render", poison);
    const [bad, good] = [segmentOf("render"), segmentOf("bake")];
    for (const item of [bad, good]) await stores.log.append(item);
    const bodies = [bad.key, good.key, segmentOf("toast").key].map((key) => JSON.stringify(key));
    expect(await refold([...bodies, "{", '{"pk":1,"sk":"x"}'])).toEqual({
      batchItemFailures: ["2", "3", "4", "0"].map((itemIdentifier) => ({ itemIdentifier })),
    });
    expect(names()).toEqual(["bake"]);
    expect(told.counts).toMatchObject({ UnfoldedSegments: 4 });
  });
});
