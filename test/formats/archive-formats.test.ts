import { afterAll, describe, expect, it } from "vitest";
import { join } from "node:path";
import { verifyArchive } from "../../src/archive/verify/verify-archive.ts";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import { getJson } from "../../src/host/client/api-client.ts";
import { openEmbedded } from "../../src/host/embedded/embedded-tracker.ts";
import { importArchive } from "../../src/host/embedded/import-archive.ts";
import { inProcessClient } from "../../src/host/embedded/in-process-client.ts";
import { EVERY_FORMAT, FORMAT_STEPS } from "./format-steps.ts";
import { answersOf, earlierAnswers, essence, FixtureDatabases, fixtureArchive } from "./read-fixtures.ts";

const databases = new FixtureDatabases();
afterAll(() => databases.clear());

describe.each(FORMAT_STEPS.filter(({ archive }) => archive))("an archive of step $name", (step) => {
  it("has an unbroken chain, and every object that it names", async () => {
    const verified = await verifyArchive(fixtureArchive(step));
    expect(verified).toMatchObject({ hours: 1, problems: [] });
    expect(verified.objects).toBeGreaterThanOrEqual(8);
  });

  it("restores a database that is answered as the code that wrote it answered", async () => {
    const path = join(databases.folder, `${step.name}-restored.sqlite`);
    const tracker = openEmbedded(path);
    const imported = await importArchive(tracker, fixtureArchive(step), () => {});
    expect(imported).toMatchObject({ outcome: "imported", segments: 2, unreadable: 0 });
    expect(essence(await answersOf(inProcessClient(tracker, path)))).toEqual(essence(earlierAnswers(step)));
    expect(await tracker.verify()).toMatchObject({ jobs: 8, mismatches: [], records: [], unreadable: [] });
    tracker.close();
  });

  it("answers about a Job that the database does not have any more", async () => {
    const path = join(databases.folder, `${step.name}-empty.sqlite`);
    const tracker = openEmbedded(path);
    await tracker.meta.write("cluster", EVERY_FORMAT, { value: "{}", expected: 0 });
    const api = inProcessClient({ ...tracker, archive: fixtureArchive(step) }, path);
    const answer = await getJson<JobAnswer>(api, `/v1/clusters/${EVERY_FORMAT}/namespaces/batch/jobs/import`);
    tracker.close();
    const earlier = earlierAnswers(step).filter(({ name }) => name === "import");
    expect(essence([answer])).toEqual(essence(earlier));
  });
});
