import { describe, expect, it } from "vitest";
import { usageOfJobs } from "../../../src/count/usage/usage-of-jobs.ts";
import { presentUsage } from "../../../src/explain/usage/present-usage.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { usageOf } from "../../support/facts/usage-of.ts";
import { CountScene, DAY_BEGIN, HOUR } from "../../support/stores/count-scene.ts";
import { listedJob, second } from "../../support/story/listed-job.ts";

const cluster = clusterNamed("east");

describe("what the stored Jobs of namespaces reserved", () => {
  it("is added up by day and namespace, for more Jobs than are read together", async () => {
    const scene = new CountScene();
    for (let n = 0; n < 120; n += 1) {
      const job = listedJob({ uid: `u${n}`, namespace: n < 110 ? "a" : "b", createdAt: second(n) });
      const usage = new Map([
        [DAY_BEGIN + 23 * HOUR, usageOf(1, { kept: 1 })],
        [DAY_BEGIN + 24 * HOUR, usageOf(0, { kept: 2 })],
      ]);
      await scene.write(job, usage);
    }
    const days = await usageOfJobs(scene.store, [{ cluster, namespace: "a" }]);
    const shown = [...days].map(([day, table]) => [
      day,
      [...table.usages()].map(([namespace, usage]) => [namespace, usage.pods, presentUsage(usage).podSeconds.kept]),
    ]);
    expect(shown).toEqual([
      ["20260101", [["a", 110, 110]]],
      ["20260102", [["a", 0, 220]]],
    ]);
  });
});
