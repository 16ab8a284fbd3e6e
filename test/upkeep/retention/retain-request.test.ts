import { describe, expect, it } from "vitest";
import { isRetainResponse, readRetainRequest } from "../../../src/upkeep/retention/retain-request.ts";

describe("an event of the retain function", () => {
  it.each([
    ["limits its time", { seconds: 45 }, { seconds: 45 }],
    ["of the schedule has no limit", { source: "aws.events", detail: {} }, {}],
    ["with an invalid limit has none", { seconds: -1 }, {}],
    ["may be empty", undefined, {}],
  ])("%s", (_, event, expected) => {
    expect(readRetainRequest(event)).toEqual(expected);
  });
});

describe("a response of the retain function", () => {
  it("of an earlier release knows no rules", () => {
    expect(isRetainResponse({ mayExpire: true, tables: [] })).toBe(false);
    expect(isRetainResponse({ mayExpire: true, tables: [], pending: 0 })).toBe(true);
    expect(isRetainResponse(null)).toBe(false);
  });
});
