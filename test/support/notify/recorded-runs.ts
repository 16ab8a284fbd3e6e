import { fileURLToPath } from "node:url";
import { openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { importRecordings } from "../../../src/host/embedded/import-recordings.ts";
import { loadRun, type RunPlace } from "../../../src/notify/traces/load-run.ts";
import { traceOf } from "../../../src/notify/traces/run-trace.ts";
import type { Trace } from "../../../src/notify/traces/span.ts";
import { readLivePointer } from "../../../src/projection/live-projection.ts";
import type { RunPorts } from "../../../src/query/ports.ts";
import { clusterOf } from "../story/listed-job.ts";

/** A tracker in memory with an example of the project, imported as cluster `east`. */
export async function importedExample(file: string): Promise<RunPorts & { readonly close: () => void }> {
  const embedded = openEmbedded(":memory:");
  const { log, meta, projections } = embedded;
  const files = [fileURLToPath(new URL(`../../../examples/${file}`, import.meta.url))];
  await importRecordings(embedded, { clusterName: clusterOf("east"), files });
  const { live } = await readLivePointer(meta);
  const stores = { jobs: projections.open(live), runs: projections.runs(live) };
  return { log, meta, ...stores, close: () => embedded.close() };
}

const NOW = Date.parse("2026-12-01T00:00:00Z");

/** The trace of a run of an example, loaded as the sender loads it. */
export async function recordedTrace(file: string, place: Omit<RunPlace, "cluster">): Promise<Trace> {
  const ports = await importedExample(file);
  try {
    const run = await loadRun(ports, { ...place, cluster: clusterOf("east") }, { now: NOW });
    const trace = run && traceOf(run);
    if (trace === undefined) throw new Error(`${file} has no run ${place.name}`);
    return trace;
  } finally {
    ports.close();
  }
}

/** A JobSet whose second attempt completes (examples/jobset-restarts.ndjson.gz). */
export const BERT = {
  kind: "JobSet",
  namespace: "jobset-restarts",
  name: "bert",
  uid: "031a6d70-b844-4d11-8fa0-80904b70a12b",
};
