import { describe, expect, it } from "vitest";
import { EARLIEST } from "../../../src/job/model/instant.ts";
import { instantAt, readGivenTime } from "../../../src/query/list/given-time.ts";

const NOW = Date.UTC(2026, 10, 23, 12);

function instantOf(text: string): number | undefined {
  const read = readGivenTime(text);
  return "value" in read ? instantAt(read.value, NOW) : undefined;
}

describe("a time that a reader gives", () => {
  it.each([
    ["2026-11-23T08:00:00Z", Date.UTC(2026, 10, 23, 8)],
    ["2026-11-23T08:00:00+02:00", Date.UTC(2026, 10, 23, 6)],
    ["2h", Date.UTC(2026, 10, 23, 10)],
    ["90m", Date.UTC(2026, 10, 23, 10, 30)],
    ["7d", Date.UTC(2026, 10, 16, 12)],
    ["1h30m", Date.UTC(2026, 10, 23, 10, 30)],
    ["0s", NOW],
  ])("%s is an instant", (text, instant) => {
    expect(instantOf(text)).toBe(instant);
  });

  it.each([
    ["", /RFC 3339.*2h, 90m or 7d/],
    ["2", /RFC 3339/],
    ["yesterday", /RFC 3339/],
    ["2026-02-31T25:00:00Z", /RFC 3339/],
    ["-2h", /no sign/],
    ["+2h", /no sign/],
    ["999999999d", /2000 years/],
  ])("%j is a problem that says what to write", (text, problem) => {
    const read = readGivenTime(text);
    expect("problem" in read && read.problem).toMatch(problem);
  });

  it("is never before the first instant that can be written", () => {
    expect(instantAt({ millisAgo: 1 }, EARLIEST)).toBe(EARLIEST);
  });
});
