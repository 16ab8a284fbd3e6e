import { describe, expect, it } from "vitest";
import { namespaceKey } from "../../../src/ports/meta-key.ts";
import { PROBE_CLUSTER } from "../../../src/ports/deployment/limits.ts";
import type { JobStore } from "../../../src/ports/jobs.ts";
import type { Scope } from "../../../src/query/access/scope.ts";
import { olderLiveRows } from "../../../src/query/attention/older-live-rows.ts";
import { jobUid } from "../../support/facts/names.ts";
import { MemoryJobStore } from "../../support/stores/memory-job-store.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { WideMemoryStore } from "../../support/stores/wide-memory-store.ts";
import { clusterOf, listedJob, rowOf, second } from "../../support/story/listed-job.ts";

const NOW = Date.parse("2026-01-02T00:00:00Z");
const before = Date.parse(second(100));
const MINE: Scope = { grants: [{ cluster: "east", namespaces: ["mine"] }] };

async function rowsIn(jobs: JobStore, scope: Scope) {
  const meta = new MemoryMetaStore();
  const running = { verdict: { state: "Running", final: false, basis: "both" } } as const;
  const findings = [{ kind: "Waiting" as const, message: "", evidence: [] }];
  for (const [uid, cluster, namespace, createdAt, said] of [
    ["old", "east", "mine", 10, { ...running, findings }],
    ["young", "east", "mine", 200, { ...running, findings }],
    ["theirs", "east", "theirs", 20, { ...running, findings }],
    ["over", "east", "mine", 30, { findings }],
    ["probe", PROBE_CLUSTER, "mine", 40, { ...running, findings }],
  ] as const) {
    const job = listedJob({ uid, cluster, namespace, createdAt: second(createdAt), ...said });
    await meta.write("cluster", cluster, { value: "{}", expected: 0 });
    await meta.write("namespace", namespaceKey(clusterOf(cluster), namespace), { value: "{}", expected: 0 });
    const key = { cluster: clusterOf(cluster), jobUid: jobUid(uid) };
    await jobs.write(key, { bytes: new Uint8Array(), row: rowOf(job) }, 0);
  }
  const rows = await olderLiveRows({ jobs, meta }, scope, { filter: {}, before });
  return rows.map((row) => row.jobUid).sort();
}

describe("Jobs that still change and were created before an instant", () => {
  it("are read from the namespaces that the reader may see", async () => {
    expect(await rowsIn(new MemoryJobStore(), "everything")).toEqual(["old", "theirs"]);
    expect(await rowsIn(new MemoryJobStore(), MINE)).toEqual(["old"]);
  });

  it("are read from the list of all clusters, for who may see everything", async () => {
    expect(await rowsIn(new WideMemoryStore(() => NOW), "everything")).toEqual(["old", "theirs"]);
    expect(await rowsIn(new WideMemoryStore(() => NOW), MINE)).toEqual([]);
  });
});
