import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { readFileFormats } from "../../../src/host/embedded/file-formats.ts";
import { FORMAT_STEPS } from "../../formats/format-steps.ts";
import { earlierAnswers, FixtureDatabases } from "../../formats/read-fixtures.ts";

const databases = new FixtureDatabases();
afterAll(() => databases.clear());

describe.each(FORMAT_STEPS)("the formats of a file of step $name", (step) => {
  it("are its schemas, its size, its Jobs and its clusters", async () => {
    const formats = await readFileFormats(databases.copyOf(step));
    expect(formats).toMatchObject({
      schema: step.database,
      isInUse: false,
      sample: { segments: 2, schemas: step.segments, newer: [], damaged: 0 },
      segments: 2,
      jobs: earlierAnswers(step).length,
      clusters: [{ name: "duplicate-execution" }, { name: "every-format" }],
    });
    expect(formats.bytes).toBeGreaterThan(90_000);
  });
});

describe("the formats of a file", () => {
  it("are of the projection that answers", async () => {
    const [newest] = FORMAT_STEPS.slice(-1);
    if (newest === undefined) throw new Error("There are no steps.");
    const path = databases.copyOf(newest);
    const tracker = openEmbedded(path);
    await tracker.replay();
    tracker.close();
    const other = new DatabaseSync(path);
    other.exec("DELETE FROM jobs_a");
    other.close();
    expect(await readFileFormats(path)).toMatchObject({ jobs: 8 });
  });

  it("are of the first and the last segments of a long log", async () => {
    const [first] = FORMAT_STEPS;
    if (first === undefined) throw new Error("There are no steps.");
    const path = databases.copyOf(first);
    const other = new DatabaseSync(path);
    other.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
      INSERT INTO log SELECT pk, 'x' || i, sha256, fact_count, x'00' FROM n, (SELECT * FROM log LIMIT 1)`);
    other.close();
    const { segments, sample } = await readFileFormats(path);
    expect([segments, sample.segments + sample.damaged]).toEqual([1_202, 1_000]);
  });

  it("are none where nothing was written yet", async () => {
    const path = join(databases.folder, "empty.sqlite");
    writeFileSync(path, "");
    expect(await readFileFormats(path)).toMatchObject({ schema: 0, bytes: 0, segments: 0, jobs: 0, clusters: [] });
  });
});
