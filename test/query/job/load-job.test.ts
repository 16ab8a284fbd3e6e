import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { archiveDatabase } from "../../../src/host/embedded/archive-database.ts";
import { type Embedded, openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { inProcessClient } from "../../../src/host/embedded/in-process-client.ts";
import { EIGHT, endedJob, HOUR, jobDeleted } from "../../support/archive/archive-scene.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { MemoryObjects } from "../../support/stores/memory-objects.ts";

const DAY = 24 * HOUR;
const JOB = "/v1/clusters/east/namespaces/shop/jobs/report";
const cluster = clusterNamed("east");
const story = { name: "report", createdAt: EIGHT, succeeds: false };
let folder: string;
let embedded: Embedded;
let archive: MemoryObjects;

async function* told(facts: ReturnType<typeof endedJob>) {
  yield facts;
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "outlive-archived-"));
  embedded = openEmbedded(join(folder, "database.sqlite"));
  await embedded.importFacts(told(endedJob(story)), { cluster, now: EIGHT + HOUR });
  async function* later() {
    yield [jobDeleted(story, EIGHT + 2 * HOUR)];
  }
  await embedded.importFacts(later(), { cluster, now: EIGHT + 3 * HOUR });
  // Jobs with findings do not expire before they were swept.
  await embedded.sweep({ now: EIGHT + 2 * DAY });
  archive = new MemoryObjects();
  await archiveDatabase(embedded, archive, { now: EIGHT + 5 * HOUR });
});
afterEach(() => {
  embedded.close();
  rmSync(folder, { recursive: true, force: true });
});

async function answer(part: string, withArchive = true) {
  const api = inProcessClient({ ...embedded, ...(withArchive && { archive }) }, "test");
  const response = await api.request(`${JOB}${part}`);
  const body: unknown = await response.json();
  return { status: response.status, warning: response.headers.get("warning"), body };
}

const PARTS = ["", "/why", "/pods", "/history", "/indexes", "?asOf=2026-11-21T08:30:00Z"];

describe("a Job whose state has expired", () => {
  it.each(PARTS)("is answered from the archive as before: %s", async (part) => {
    const before = await answer(part);
    expect(before).toMatchObject({ status: 200, warning: null });
    expect(await embedded.forget({ days: 30, now: EIGHT + 90 * DAY })).toMatchObject({ jobs: 1 });
    const after = await answer(part);
    expect(after.warning).toContain("The state of the Job has expired");
    const { source: _, ...same } = { source: "", ...(after.body as object) };
    expect(same).toEqual(before.body);
  });

  it("says in the answer that it is from the archive", async () => {
    await embedded.forget({ days: 30, now: EIGHT + 90 * DAY });
    expect((await answer("")).body).toMatchObject({ source: "archive", verdict: { state: "Failed" } });
    expect((await answer("/why")).body).toMatchObject({ source: "archive" });
  });

  it("is unknown without an archive", async () => {
    await embedded.forget({ days: 30, now: EIGHT + 90 * DAY });
    expect(await answer("", false)).toMatchObject({ status: 404, warning: null });
  });

  it("is unknown by another uid", async () => {
    await embedded.forget({ days: 30, now: EIGHT + 90 * DAY });
    expect(await answer("?uid=other")).toMatchObject({ status: 404, warning: null });
  });
});
