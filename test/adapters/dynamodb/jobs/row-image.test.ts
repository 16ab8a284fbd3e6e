import { describe, expect, it } from "vitest";
import { uniformRetention } from "../../../../src/ports/expiry/job-expiry.ts";
import { fromJobState } from "../../../../src/adapters/dynamodb/jobs/job-item.ts";
import { decodeRowWrite } from "../../../../src/adapters/dynamodb/jobs/row-image.ts";
import { decodeJobUid } from "../../../../src/job/model/ids.ts";
import type { JobRow } from "../../../../src/ports/job-row.ts";
import { clusterNamed } from "../../../support/facts/names.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const ROW: JobRow = {
  namespace: "payments",
  name: "charge-1",
  createdAt: NOON,
  phase: "F",
  attention: true,
  endedAt: NOON + 60_000,
  summary: Uint8Array.of(1, 2, 255),
};

function keyOf(uid = "u1") {
  const jobUid = decodeJobUid(uid);
  if (jobUid === undefined) throw new Error("not a uid");
  return { cluster: clusterNamed("prod-eu"), jobUid };
}

/** An item as Lambda has it in a stream record: bytes are base64. */
function image(row: JobRow | undefined, version = 1): Readonly<Record<string, { S?: string; N?: string; B?: string }>> {
  const state = { bytes: Uint8Array.of(9), ...(row && { row }) };
  const item = fromJobState(keyOf(), state, { version, now: NOON, retention: uniformRetention(30) });
  return Object.fromEntries(
    Object.entries(item).map(([name, { S, N, B }]) => [
      name,
      {
        ...(S !== undefined && { S }),
        ...(N !== undefined && { N }),
        ...(B && { B: Buffer.from(B).toString("base64") }),
      },
    ]),
  );
}

describe("a record of the stream of Jobs", () => {
  it("is the row that was written, and the row before it", () => {
    const record = {
      ApproximateCreationDateTime: NOON / 1_000,
      NewImage: image(ROW, 2),
      OldImage: image({ ...ROW, phase: "A", attention: false }),
    };
    const write = decodeRowWrite("B", record);
    expect(write).toMatchObject({ projection: "B", writtenAt: NOON, key: keyOf() });
    expect(write?.after).toMatchObject({ phase: "F", attention: true, endedAt: ROW.endedAt, createdAt: NOON });
    expect(write?.before).toMatchObject({ phase: "A", attention: false, name: "charge-1" });
    expect(Buffer.from(write?.after.summary ?? [])).toEqual(Buffer.from(ROW.summary));
  });

  it("of a new Job has no row before", () => {
    expect(decodeRowWrite("A", { NewImage: image(ROW) })).not.toHaveProperty("before");
    expect(decodeRowWrite("A", { NewImage: image(ROW), OldImage: image(undefined) })).not.toHaveProperty("before");
  });

  it.each([
    ["a page of a large Job", { NewImage: { pk: { S: "prod-eu#u1" }, sk: { S: "P#00" }, page: { B: "AA==" } } }],
    ["a deleted state", { OldImage: image(ROW) }],
    ["a Job that was never observed", { NewImage: image(undefined) }],
    ["an item of something else", { NewImage: { ...image(ROW), pk: { S: "#wide" } } }],
    ["nothing", undefined],
  ])("about %s is no write of a row", (_, record) => {
    expect(decodeRowWrite("A", record)).toBeUndefined();
  });
});
