import { describe, expect, it } from "vitest";
import { readStreamRecords } from "../../../functions/events/stream-records.ts";
import { sealSegment } from "../../../src/segment/seal-segment.ts";
import { streamRecord } from "../../support/aws/stream-event.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { Story } from "../../support/story/story.ts";

const story = new Story("report");
story.jobCreated();
const ITEM = sealSegment({
  cluster: clusterNamed("east"),
  sealedAt: Date.UTC(2026, 10, 21, 12),
  session: "0123456789abcdef",
  sequence: 0,
  facts: story.facts,
});
const { pk, sk } = ITEM.key;
const EXPIRY = { userIdentity: { type: "Service", principalId: "dynamodb.amazonaws.com" } };

describe("a record of the log's stream", () => {
  it("about a new item has the item", () => {
    const { items, unreadable, foreign } = readStreamRecords([streamRecord(ITEM)]);
    expect(items.map(({ key, sha256 }) => [key, sha256])).toEqual([[ITEM.key, ITEM.sha256]]);
    expect([unreadable, foreign]).toEqual([[], []]);
  });

  it("about a new item that cannot be read has its key", () => {
    const record = streamRecord(ITEM, "INSERT", { dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, NewImage: {} } });
    expect(readStreamRecords([record])).toEqual({ items: [], unreadable: [{ pk, sk }], foreign: [] });
  });

  it("about an item that expired is nothing", () => {
    const record = streamRecord(ITEM, "REMOVE", EXPIRY);
    expect(readStreamRecords([record])).toEqual({ items: [], unreadable: [], foreign: [] });
  });

  it.each([
    ["was deleted", streamRecord(ITEM, "REMOVE"), `Log item ${pk} ${sk} was deleted`],
    [
      "was deleted by somebody else",
      streamRecord(ITEM, "REMOVE", { userIdentity: { type: "User", principalId: "alice" } as never }),
      `Log item ${pk} ${sk} was deleted`,
    ],
    ["was changed", streamRecord(ITEM, "MODIFY"), `Log item ${pk} ${sk} was changed`],
    ["has no key", streamRecord(ITEM, "INSERT", { dynamodb: {} }), "Log item without a key cannot be read"],
  ])("about an item that %s is foreign, and says what to do", (_, record, text) => {
    const { items, foreign } = readStreamRecords([record, streamRecord(ITEM)]);
    expect(items).toHaveLength(1);
    expect(foreign).toEqual([expect.stringContaining(text)]);
    expect(foreign[0]).toContain("`outlive verify`");
  });
});
