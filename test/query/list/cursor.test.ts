import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DecodedCursor, decodeCursor, encodeCursor } from "../../../src/query/list/cursor.ts";

const query = { list: "jobs", states: ["Failed"] };
const decode = (cursor: string, of: unknown = query) => decodeCursor(of, cursor, (fields) => fields);
const forged = (fields: unknown): string => Buffer.from(JSON.stringify(fields)).toString("base64url");

function problemOf(decoded: DecodedCursor<unknown>): string {
  if (decoded.outcome === "decoded") throw new Error("The cursor was decoded.");
  return decoded.problem;
}

describe("a cursor", () => {
  it("returns the position that it was made from", () => {
    const position = fc.array(fc.oneof(fc.string({ maxLength: 20 }), fc.integer()), { maxLength: 5 });
    fc.assert(
      fc.property(position, (fields) => {
        expect(decode(encodeCursor(query, fields))).toEqual({ outcome: "decoded", position: fields });
      }),
    );
  });

  it("is valid for an equal query, whatever the order of its fields", () => {
    const cursor = encodeCursor(query, [1]);
    expect(decode(cursor, { states: ["Failed"], list: "jobs" })).toEqual({ outcome: "decoded", position: [1] });
  });

  it("is refused for another query", () => {
    const decoded = decode(encodeCursor(query, [1]), { list: "jobs" });
    expect(problemOf(decoded)).toContain("another query");
  });

  it.each([
    ["no text", ""],
    ["characters outside of base64url", "a+b/c="],
    ["no JSON", Buffer.from("nonsense").toString("base64url")],
    ["no list", forged({ version: 1 })],
    ["another version", forged([2, "mark", 1])],
    ["a mark that is no text", forged([1, 7, 1])],
    ["more than 4,096 characters", "A".repeat(4_097)],
  ])("is refused if it has %s", (_, cursor) => {
    expect(problemOf(decode(cursor))).toContain("Invalid cursor");
  });

  it("is refused if its fields are no position of the query", () => {
    expect(decodeCursor(query, encodeCursor(query, ["x"]), () => undefined)).toMatchObject({ outcome: "refused" });
  });
});
