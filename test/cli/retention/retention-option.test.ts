import { describe, expect, it } from "vitest";
import { parseRetention, requireRetentionAfterArchive } from "../../../cli/retention/retention-option.ts";

describe("a retention", () => {
  it.each([
    ["30", 30],
    ["30d", 30],
    ["36h", 1.5],
  ])("of %s has %d days", (text, days) => {
    expect(parseRetention(text)).toBe(days);
  });

  it.each(["0", "-1", "1.5", "30m", ""])("is not %j", (text) => {
    expect(() => parseRetention(text)).toThrow("Write a whole number of days");
  });

  it("that is shorter than the lag of the archive is rejected", () => {
    const shorter = { retention: parseRetention("1h"), archive: "./archive" };
    expect(() => requireRetentionAfterArchive(shorter)).toThrow(
      "A retention of 1h is shorter than the lag of the archive (2h)",
    );
  });

  it("may be as short without an archive, or as long as the lag", () => {
    requireRetentionAfterArchive({ retention: parseRetention("1h") });
    requireRetentionAfterArchive({ retention: parseRetention("2h"), archive: "./archive" });
    requireRetentionAfterArchive({ archive: "./archive" });
  });
});
