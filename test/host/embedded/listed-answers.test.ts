import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import { type Embedded, openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { importRecordings } from "../../../src/host/embedded/import-recordings.ts";
import { liveJobs } from "../../../src/projection/live-projection.ts";
import type { QueryPorts } from "../../../src/query/ports.ts";
import { getJobNow } from "../../../src/query/job/get-job.ts";
import { listJobs } from "../../../src/query/list/list-jobs.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { recordingsWithAudit } from "../../support/recordings/real-recordings.ts";

const cluster = clusterNamed("east");

let folder: string;
let embedded: Embedded;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "outlive-listed-"));
  embedded = openEmbedded(join(folder, "outlive.sqlite"));
});

afterEach(() => {
  embedded.close();
  rmSync(folder, { recursive: true });
});

async function* listed(ports: QueryPorts): AsyncGenerator<JobAnswer> {
  let cursor: string | undefined;
  do {
    const page = await listJobs(ports, "everything", { filter: {}, limit: 100, cursor });
    if (page.outcome !== "listed") throw new Error(page.outcome);
    yield* page.items;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

async function answerTo({ namespace, name, uid, asOf }: JobAnswer, ports: QueryPorts): Promise<JobAnswer> {
  const wanted = { cluster, namespace, name, uid };
  const got = await getJobNow(ports, { scope: "everything", wanted }, Date.parse(asOf.time));
  if (got.outcome !== "answered") throw new Error(`${name}: ${got.outcome}`);
  return got.answer;
}

/** What a reader of the list concludes about the Job. */
function conclusions({ name, uid, verdict, findings, waiting, cause }: JobAnswer) {
  return {
    name,
    uid,
    verdict,
    findings: findings.map(({ kind, message }) => ({ kind, message })),
    waiting: waiting?.reason,
    cause: cause?.message,
  };
}

describe.each(recordingsWithAudit().map((files) => [basename(files[0] ?? ""), files] as const))(
  "the list of Jobs after the import of %s",
  (_, files) => {
    it("has the findings, causes and waits of the answer about each Job", { timeout: 120_000 }, async () => {
      await importRecordings(embedded, { clusterName: cluster, files });
      const { log, meta, projections } = embedded;
      const ports = { log, meta, jobs: await liveJobs(projections, meta) };
      let jobs = 0;
      for await (const job of listed(ports)) {
        jobs += 1;
        if (job.podsUnread === true) continue;
        expect(conclusions(job)).toEqual(conclusions(await answerTo(job, ports)));
      }
      expect(jobs).toBeGreaterThan(0);
    });
  },
);
