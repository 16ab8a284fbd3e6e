import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ApiClient, getJson } from "../../src/host/client/api-client.ts";
import { type Embedded, openEmbedded } from "../../src/host/embedded/embedded-tracker.ts";
import { inProcessClient } from "../../src/host/embedded/in-process-client.ts";
import { decodeSegment } from "../../src/segment/decode-segment.ts";
import { ERASED_JOB, EVERY_FORMAT, FORMAT_STEPS } from "./format-steps.ts";
import { answersOf, earlierAnswers, essence, FixtureDatabases } from "./read-fixtures.ts";

const databases = new FixtureDatabases();
afterAll(() => databases.clear());

/** Early facts have no memory limit. */
const OUT_OF_MEMORY = expect.stringMatching(
  /0 of 1 succeeded; OOMKilled: container work exceeded its memory limit/,
) as string;
const NONE = { mismatches: [], records: [], unreadable: [] };
const ofCluster = `/v1/clusters/${EVERY_FORMAT}/namespaces/batch`;

describe.each(FORMAT_STEPS)("a database file of step $name", (step) => {
  let path: string;
  let embedded: Embedded | undefined;
  beforeEach(() => {
    path = databases.copyOf(step);
  });
  afterEach(() => {
    embedded?.close();
    embedded = undefined;
  });

  function open(): { readonly tracker: Embedded; readonly api: ApiClient } {
    embedded = openEmbedded(path);
    return { tracker: embedded, api: inProcessClient(embedded, path) };
  }

  it("has the formats of its step", () => {
    const file = new DatabaseSync(path, { readOnly: true });
    const column = (sql: string) =>
      file
        .prepare(sql)
        .all()
        .map((row) => Object.values(row)[0]);
    const schemas = column("SELECT bytes FROM log").map((bytes) => schemaOf(bytes));
    const first = new Set(column("SELECT hex(substr(CAST(summary AS BLOB), 1, 1)) FROM jobs_a"));
    const version = column("PRAGMA user_version");
    file.close();
    expect(version).toEqual([step.database]);
    expect([...new Set(schemas)].toSorted((a, b) => Number(a) - Number(b))).toEqual(step.segments);
    expect([...first]).toEqual([step.summaries === "json" ? "7B" : `0${step.summaries}`]);
  });

  it("is answered as the code that wrote it answered", async () => {
    expect(essence(await answersOf(open().api))).toEqual(essence(earlierAnswers(step)));
  });

  it("agrees with its log after a replay, and is still answered so", async () => {
    const { tracker, api } = open();
    expect(await tracker.replay()).toMatchObject({ outcome: "switched" });
    expect(await tracker.verify()).toMatchObject({ ...NONE, jobs: earlierAnswers(step).length });
    expect([await tracker.findDamage(), await tracker.findDamagedRows()]).toEqual([[], []]);
    expect(essence(await answersOf(api))).toEqual(essence(earlierAnswers(step)));
  });

  it("explains a failure, lists what happened and the Pods, and has runs and usage after a replay", async () => {
    const { tracker, api } = open();
    await tracker.replay();
    expect(await getJson(api, `${ofCluster}/jobs/import/why`)).toMatchObject({ answer: OUT_OF_MEMORY });
    const history = await getJson<{ readonly items: readonly unknown[] }>(api, `${ofCluster}/jobs/import/history`);
    expect(history.items.length).toBeGreaterThanOrEqual(5);
    expect(await getJson(api, `${ofCluster}/jobs/import/pods`)).toMatchObject({ items: [{ exitCode: 137 }] });
    expect(await getJson(api, "/v1/runs")).toMatchObject({
      items: [{ name: "train", jobs: { total: 1, complete: 1 } }],
    });
    // Facts of schema 8 and later have what Pods reserve.
    const { usage } = await getJson<{ readonly usage: { readonly resources: object } }>(api, "/v1/usage");
    expect("cpu" in usage.resources).toBe(step.segments.some((schema) => schema >= 8));
  });
});

const erased = FORMAT_STEPS.filter(({ segments }) => segments.includes(5));

describe.each(erased)("a database file of step $name, from which a Job was erased", (step) => {
  it("does not have the Job again after a replay", async () => {
    const path = databases.copyOf(step);
    const tracker = openEmbedded(path);
    await tracker.replay();
    const answers = await answersOf(inProcessClient(tracker, path));
    tracker.close();
    expect(answers.map(({ name }) => name)).toContain("import");
    expect(answers.map(({ name }) => name)).not.toContain(ERASED_JOB);
  });
});

describe("a database file of the newest step", () => {
  it("agrees with its log without a replay: otherwise, a new step is needed", async () => {
    const newest = FORMAT_STEPS.at(-1);
    if (newest === undefined) throw new Error("There are no steps.");
    const tracker = openEmbedded(databases.copyOf(newest));
    const verified = await tracker.verify();
    tracker.close();
    expect(verified).toMatchObject({ ...NONE, jobs: 8, segments: 2 });
  });
});

function schemaOf(bytes: unknown): number | string {
  const decoded = decodeSegment(bytes instanceof Uint8Array ? bytes : new Uint8Array());
  return decoded.outcome === "decoded" ? decoded.segment.schemaVersion : decoded.reason;
}
