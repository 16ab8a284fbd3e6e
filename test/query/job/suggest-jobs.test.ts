import { describe, expect, it } from "vitest";
import { namespaceKey } from "../../../src/ports/meta-key.ts";
import type { Scope } from "../../../src/query/access/scope.ts";
import { findJob } from "../../../src/query/job/find-job.ts";
import { suggestJobs } from "../../../src/query/job/suggest-jobs.ts";
import { countedStore } from "../../support/stores/counted-store.ts";
import { clusterOf, listedJob, storesWith } from "../../support/story/listed-job.ts";

const cluster = clusterOf("east");
const unknown = { cluster, namespace: "batch", name: "reprot" };
const JOBS = [listedJob({ uid: "a" }), listedJob({ uid: "b", namespace: "payroll", name: "reprot" })];

/** Stores that count their requests, with as many namespaces as given. Without `looksEverywhere`, as on DynamoDB. */
async function countedStores(namespaces: number, { looksEverywhere = true } = {}) {
  const { jobs, meta, log } = await storesWith(JOBS);
  for (let n = 0; n < namespaces; n += 1) {
    await meta.write("namespace", namespaceKey(cluster, `more-${n}`), { value: "{}", expected: 0 });
  }
  const requests: string[] = [];
  const left = looksEverywhere ? [] : (["namespacesWithName"] as const);
  const ports = { jobs: countedStore(jobs, requests, left), meta: countedStore(meta, requests), log };
  return { ports, requests };
}

describe("the suggestions for an unknown name", () => {
  it("are similar names, and other namespaces that have it", async () => {
    const { ports } = await countedStores(0);
    expect(await suggestJobs(ports, "everything", unknown)).toEqual({ near: ["report"], elsewhere: ["payroll"] });
  });

  it("say nothing of other namespaces if the store cannot find them in one request", async () => {
    const { ports } = await countedStores(0, { looksEverywhere: false });
    expect(await suggestJobs(ports, "everything", unknown)).toEqual({ near: ["report"] });
  });

  it("take as many requests with 450 namespaces as with one", async () => {
    const asked = await Promise.all(
      [0, 450].flatMap((namespaces) =>
        [true, false].map(async (looksEverywhere) => {
          const { ports, requests } = await countedStores(namespaces, { looksEverywhere });
          await findJob(ports, "everything", unknown);
          return requests.toSorted();
        }),
      ),
    );
    const onSqlite = ["list", "listByName", "namespacesWithName", "read", "sampleNames"];
    const onDynamo = ["listByName", "read", "sampleNames"];
    expect(asked).toEqual([onSqlite, onDynamo, onSqlite, onDynamo]);
  });

  it("name nothing that the reader may not see, and do not look there", async () => {
    const { ports, requests } = await countedStores(3);
    const scope: Scope = { grants: [{ cluster: "east", namespaces: ["other"] }] };
    expect(await suggestJobs(ports, scope, unknown)).toEqual({ near: [], elsewhere: [] });
    expect(requests).not.toContain("sampleNames");
  });
});
