import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadRun } from "../../../src/notify/traces/load-run.ts";
import { traceOf } from "../../../src/notify/traces/run-trace.ts";
import type { RunPorts } from "../../../src/query/ports.ts";
import { BERT, importedExample } from "../../support/notify/recorded-runs.ts";
import { clusterOf } from "../../support/story/listed-job.ts";

const now = Date.parse("2026-12-01T00:00:00Z");
const bert = { ...BERT, cluster: clusterOf("east") };

let ports: RunPorts & { readonly close: () => void };
beforeAll(async () => {
  ports = await importedExample("jobset-restarts.ndjson.gz");
});
afterAll(() => ports.close());

describe("the answers for a trace", () => {
  it("are the run, all of its Jobs by creation, and all of their Pods", async () => {
    const loaded = await loadRun(ports, bert, { now });
    expect(loaded?.run?.name).toBe("bert");
    expect(loaded?.jobs).toHaveLength(6);
    expect(loaded?.jobs.every(({ pods }) => pods.length === 1)).toBe(true);
    expect(loaded?.omitted).toEqual({ jobs: 0, pods: 0 });
  });

  it.each([
    [21, { jobs: 0, pods: 0 }],
    [20, { jobs: 0, pods: 1 }],
    [12, { jobs: 0, pods: 5 }],
    [9, { jobs: 0, pods: 6 }],
    [5, { jobs: 4, pods: 2 }],
  ])("fit into %i spans, and say how many Jobs and Pods do not", async (most, omitted) => {
    const loaded = await loadRun(ports, bert, { now, most });
    expect(loaded?.omitted).toEqual(omitted);
    expect(loaded && traceOf(loaded)?.spans.length).toBeLessThanOrEqual(most);
  });

  it("have the Pods of Jobs that did not complete first", async () => {
    const loaded = await loadRun(ports, bert, { now, most: 15 });
    const shown = loaded?.jobs.filter(({ pods }) => pods.length > 0) ?? [];
    expect(shown).toHaveLength(3);
    expect(shown.every(({ job }) => job.verdict.state !== "Complete")).toBe(true);
  });

  it("have no Pods of further Jobs when enough were read", async () => {
    const loaded = await loadRun(ports, bert, { now, mostPods: 2 });
    expect(loaded?.omitted).toEqual({ jobs: 0, pods: 4 });
  });

  it("have no more Jobs than there are spans", async () => {
    const read = new Set<string>();
    const jobs: RunPorts["jobs"] = {
      ...ports.jobs,
      read: (key) => {
        read.add(key.jobUid);
        return ports.jobs.read(key);
      },
    };
    await loadRun({ ...ports, jobs }, bert, { now, most: 5 });
    expect(read.size).toBe(2);
  });

  it("are a Job alone if it is its own run", async () => {
    const { runs: _, ...withoutRuns } = ports;
    const job = { ...bert, kind: "Job", name: "bert-node-2", uid: "92e9abdc-91f4-43cb-be7d-e04fd4d2aa2b" };
    const loaded = await loadRun(withoutRuns, job, { now });
    expect(loaded?.run).toBeUndefined();
    expect(loaded?.jobs.map(({ job: { name } }) => name)).toEqual(["bert-node-2"]);
    expect(await loadRun(withoutRuns, bert, { now })).toBeUndefined();
  });

  it("do not exist if the run does not", async () => {
    expect(await loadRun(ports, { ...bert, uid: "other" }, { now })).toBeUndefined();
    expect(await loadRun(ports, { ...bert, kind: "Job", uid: "other" }, { now })).toBeUndefined();
  });
});
