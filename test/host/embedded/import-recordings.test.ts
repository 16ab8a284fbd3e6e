import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Embedded, openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { importRecordings } from "../../../src/host/embedded/import-recordings.ts";
import { formatInstant, type Instant } from "../../../src/job/model/instant.ts";
import { liveJobs } from "../../../src/projection/live-projection.ts";
import { listJobs } from "../../../src/query/list/list-jobs.ts";

const UID = "11111111-1111-4111-8111-111111111111";
const QUOTA =
  'Error creating: pods "refused-abcde" is forbidden: exceeded quota: compute, requested: limits.cpu=2, ' +
  "used: limits.cpu=0, limited: limits.cpu=1";

/** A Job whose Pods the quota refuses. The Event is the only sign of it. */
function refusedJob(refusedAt: Instant): readonly object[] {
  const time = formatInstant(refusedAt);
  const identity = { name: "refused", namespace: "shop" };
  const template = { spec: { restartPolicy: "Never", containers: [{ name: "work", image: "work:1" }] } };
  const job = {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { ...identity, uid: UID, resourceVersion: "100", creationTimestamp: time, generation: 1 },
    spec: { completions: 1, parallelism: 1, backoffLimit: 6, template },
    status: {},
  };
  const event = {
    apiVersion: "v1",
    kind: "Event",
    metadata: {
      name: "refused.1",
      namespace: "shop",
      uid: "22222222-2222-4222-8222-222222222222",
      resourceVersion: "102",
    },
    involvedObject: { apiVersion: "batch/v1", kind: "Job", ...identity, uid: UID },
    reason: "FailedCreate",
    message: QUOTA,
    source: { component: "job-controller" },
    type: "Warning",
    count: 3,
    firstTimestamp: time,
    lastTimestamp: time,
  };
  return [job, event].map((object) => ({ type: "ADDED", object }));
}

let folder: string;
let embedded: Embedded;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "outlive-import-"));
  embedded = openEmbedded(join(folder, "outlive.sqlite"));
});

afterEach(() => {
  embedded.close();
  rmSync(folder, { recursive: true });
});

async function waitingAfterImport(events: readonly object[]) {
  const file = join(folder, "watch.ndjson");
  writeFileSync(file, events.map((event) => JSON.stringify(event)).join("\n"));
  await importRecordings(embedded, { clusterName: "east", files: [file] });
  const { log, meta, projections } = embedded;
  const ports = { log, meta, jobs: await liveJobs(projections, meta) };
  const list = await listJobs(ports, "everything", { filter: { waiting: true }, limit: 10 });
  if (list.outcome !== "listed") throw new Error(list.outcome);
  return list.items.map(({ name, waiting }) => ({ name, waiting: waiting?.reason }));
}

describe("an imported Job whose Pods a quota refuses", () => {
  it.each([
    ["a year ago", 365 * 86_400_000],
    ["an hour ago", 3_600_000],
    ["a second ago", 1_000],
  ])("is listed as waiting at once if it was refused %s", async (_, millis) => {
    const events = refusedJob(Date.now() - millis);
    expect(await waitingAfterImport(events)).toEqual([{ name: "refused", waiting: "QuotaExceeded" }]);
  });
});
