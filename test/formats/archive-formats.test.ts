import { join } from "node:path";
import { parquetMetadata } from "hyparquet";
import { afterAll, describe, expect, it } from "vitest";
import { verifyArchive } from "../../src/archive/verify/verify-archive.ts";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import { getJson } from "../../src/host/client/api-client.ts";
import { archiveDatabase } from "../../src/host/embedded/archive-database.ts";
import { openEmbedded } from "../../src/host/embedded/embedded-tracker.ts";
import { importArchive } from "../../src/host/embedded/import-archive.ts";
import { inProcessClient } from "../../src/host/embedded/in-process-client.ts";
import { MemoryObjects } from "../support/stores/memory-objects.ts";
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

/** The names and types of the columns of each table in an archive. */
function columnsOf(archive: MemoryObjects): Readonly<Record<string, readonly string[]>> {
  const parts = archive.keys.filter((key) => key.endsWith(".parquet"));
  const schemas = parts.map((key) => {
    const bytes = archive.objects.get(key) ?? new Uint8Array();
    const { schema } = parquetMetadata(Uint8Array.from(bytes).buffer);
    return [
      key.slice(0, key.indexOf("/")),
      schema.map(({ name, type, converted_type: as }) => `${name} ${type} ${as}`),
    ] as const;
  });
  return Object.fromEntries(schemas);
}

describe("an archive of the newest step", () => {
  it("has the tables and columns that this release writes: otherwise, a new step is needed", async () => {
    const newest = FORMAT_STEPS.at(-1);
    if (newest === undefined) throw new Error("There are no steps.");
    const tracker = openEmbedded(databases.copyOf(newest));
    const written = new MemoryObjects();
    await archiveDatabase(tracker, written, { now: Date.now(), untilNow: true });
    tracker.close();
    const columns = columnsOf(fixtureArchive(newest));
    expect(Object.keys(columns)).toEqual(["attempts", "facts", "jobs", "runs"]);
    expect(columnsOf(written)).toEqual(columns);
  });

  it("has no table less, and no column less, than an archive of an earlier step", () => {
    const [newest, ...earlier] = FORMAT_STEPS.filter(({ archive }) => archive).toReversed();
    if (newest === undefined) throw new Error("There are no archives.");
    const columns = columnsOf(fixtureArchive(newest));
    const lost = earlier.flatMap((step) =>
      Object.entries(columnsOf(fixtureArchive(step))).flatMap(([table, names]) =>
        names.filter((name) => columns[table]?.includes(name) !== true),
      ),
    );
    expect(lost).toEqual([]);
  });
});
