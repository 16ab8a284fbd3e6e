import { describe, expect, it } from "vitest";
import { decodeChangesCursor, encodeFeed, markOf, MAX_GIVEN } from "../../../src/query/changes/changes-cursor.ts";
import { encodeCursor } from "../../../src/query/list/cursor.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const FLOOR = "2026-11-21T12:00:00.000Z";

describe("a cursor of announced changes", () => {
  it("has the position, and as many of the last early records as fit in 550 bytes", () => {
    const given = Array.from({ length: MAX_GIVEN + 1 }, (_, n) => markOf(`x#${String(100_000 + n)}7777777777`));
    const cursor = encodeFeed({ floor: `${FLOOR}#0123456789abcdef`, given });
    expect(cursor.length).toBeLessThanOrEqual(550);
    expect(decodeChangesCursor(cursor)).toEqual({
      outcome: "decoded",
      position: { floor: `${FLOOR}#0123456789abcdef`, given: given.slice(1) },
    });
  });

  it("is no forged one", () => {
    for (const floor of ["", "x", "2026-11-21", `${FLOOR}#x`]) {
      expect(decodeChangesCursor(encodeFeed({ floor, given: [] })).outcome).toBe("refused");
    }
    expect(decodeChangesCursor(encodeFeed({ floor: FLOOR, given: ["xyz"] })).outcome).toBe("refused");
  });
});

describe("the cursor of a reader of logs, which earlier releases made", () => {
  it.each<[string, readonly (string | number)[], number]>([
    ["between two passes", ["pass", NOON, ""], NOON],
    ["with early segments, on an upgraded stage", ["log", NOON, "abcdefg"], NOON],
    ["within a pass", ["pass", NOON, "", NOON + 5_000, "east", "x|1|"], NOON],
    ["within a pass that began earlier", ["pass", NOON, "", NOON - 5_000, "east", "x|1|"], NOON - 5_000],
  ])("says where to begin again: %s", (_, fields, restart) => {
    const position = { restartAt: restart - 15_000 };
    expect(decodeChangesCursor(encodeCursor("changes", fields))).toEqual({ outcome: "decoded", position });
  });

  it.each([["pass", 9e15, ""], ["pass", "x", ""], ["log", -1, ""], ["other", NOON, ""], [NOON]])(
    "is refused where it is forged: %s",
    (...fields) => {
      expect(decodeChangesCursor(encodeCursor("changes", fields)).outcome).toBe("refused");
    },
  );
});
