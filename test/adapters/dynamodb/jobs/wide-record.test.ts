import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { itemBytes } from "../../../../src/adapters/dynamodb/item-size.ts";
import { encodeCreated } from "../../../../src/adapters/dynamodb/jobs/created-key.ts";
import {
  fromWideRecord,
  mayBeRecorded,
  MOST_JOBS,
  newestOf,
  toWideRecord,
  WIDE_RECORD_MS,
  WideRecordUnreadableError,
} from "../../../../src/adapters/dynamodb/jobs/wide-record.ts";
import { uniformRetention } from "../../../../src/ports/expiry/job-expiry.ts";
import type { JobRow } from "../../../../src/ports/job-row.ts";
import { clusterNamed, jobUid } from "../../../support/facts/names.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 21, 12);
const key = { cluster: clusterNamed("east"), jobUid: jobUid("a") };

const entryOf = (cluster: string, uid: string, createdAt: number) => ({
  pk: `${cluster}#${uid}`,
  created: encodeCreated({ createdAt, jobUid: jobUid(uid) }),
});

describe("a record of the wide lists", () => {
  const listed = fc.record({
    cluster: fc.constantFrom("east", "west-1", "prod"),
    uid: fc.oneof(fc.uuid(), fc.stringMatching(/^[a-z0-9-]{1,12}$/)),
    age: fc.integer({ min: 0, max: WIDE_RECORD_MS }),
  });

  it("has its Jobs, and is sorted by the newest", () => {
    fc.assert(
      fc.property(fc.array(listed, { minLength: 1, maxLength: MOST_JOBS }), (jobs) => {
        const entries = jobs.map(({ cluster, uid, age }) => entryOf(cluster, uid, NOW - age));
        const item = fromWideRecord(entries);
        const read = toWideRecord(item).map(({ pk, created, isRecorded }) => `${pk} ${created} ${isRecorded}`);
        expect(read.toSorted()).toEqual(entries.map(({ pk, created }) => `${pk} ${created} true`).toSorted());
        expect(newestOf(item)).toBe(NOW - Math.min(...jobs.map(({ age }) => age)));
      }),
    );
  });

  it("has the key of its content", () => {
    const [a, b] = [entryOf("east", "a", NOW), entryOf("east", "b", NOW - 1)];
    expect(fromWideRecord([a, b])).toEqual(fromWideRecord([a, b]));
    expect(fromWideRecord([a, b])["sk"]).not.toEqual(fromWideRecord([a])["sk"]);
  });

  it("takes one write unit with as many Jobs as it may have", () => {
    const uids = fc.sample(fc.uuid(), { numRuns: MOST_JOBS, seed: 7 });
    const item = fromWideRecord(uids.map((uid, n) => entryOf("production-eu-central-1", uid, NOW - 317 * n)));
    expect(itemBytes({ ...item, ttl: { N: "1800000000" } })).toBeLessThan(1_024);
  });

  it.each([
    ["damaged bytes", { jobs: { B: Uint8Array.of(1, 2, 3) } }],
    ["no bytes", { jobs: { B: new Uint8Array() } }],
    ["the codec of a later release", { codec: { N: "2" } }],
  ])("is not readable with %s", (_, changes) => {
    const item = { ...fromWideRecord([entryOf("east", "a", NOW)]), ...changes };
    expect(() => toWideRecord(item)).toThrow(WideRecordUnreadableError);
  });
});

describe("a Job", () => {
  const ended = { createdAt: NOW - HOUR, phase: "F", endedAt: NOW } as const;
  const holding = { ...uniformRetention(400), holdOn: () => ({}) };

  it.each<[string, boolean, Partial<JobRow>, object]>([
    ["that is new", true, {}, {}],
    ["that ended within an hour", true, ended, {}],
    ["that ended later", false, { ...ended, endedAt: NOW + 2_000 }, {}],
    ["that ended long ago", true, { createdAt: NOW - 300 * DAY, phase: "F", endedAt: NOW - 300 * DAY + 1 }, {}],
    ["that arrived when its record would expire", false, { createdAt: NOW - 399 * DAY, phase: "F" }, {}],
    ["that is held", false, ended, { retention: holding }],
    ["with a shorter retention", false, {}, { retention: uniformRetention(30) }],
    ["with a longer retention", false, {}, { retention: uniformRetention(500) }],
    ["that no record has so far", false, {}, { version: 2 }],
    ["that a record has", true, {}, { version: 2, recordedAt: NOW }],
    ["that a record has with another creation", false, {}, { version: 2, recordedAt: NOW - 1 }],
  ])("%s: in a record %s", (_, expected, changes, { recordedAt, ...write }: { readonly recordedAt?: number }) => {
    const summary = Uint8Array.of(1);
    const whole = { namespace: "shop", name: "n", createdAt: NOW, phase: "A", attention: false, summary } as const;
    const state = { bytes: summary, row: { ...whole, ...changes }, ...(recordedAt !== undefined && { recordedAt }) };
    const standard = { version: 1, now: NOW, retention: uniformRetention(400), retentionDays: 400 };
    expect(mayBeRecorded(key, state, { ...standard, ...write })).toBe(expected);
  });

  it("that is not listed is in no record", () => {
    const write = { version: 1, now: NOW, retention: uniformRetention(400), retentionDays: 400 };
    expect(mayBeRecorded(key, { bytes: Uint8Array.of(1) }, write)).toBe(false);
  });
});
