import { describe, expect, it } from "vitest";
import { EXPIRIES, untilOf } from "../../../web/attention/acknowledge-until.ts";

describe("the expiry of an acknowledgement", () => {
  it("is a duration that the API counts, or the next morning in the reader's time zone", () => {
    const now = new Date(2026, 0, 31, 23, 59).getTime();
    expect(EXPIRIES.map((expiry) => untilOf(expiry, now))).toEqual([
      "1h",
      "8h",
      new Date(2026, 1, 1, 9).toISOString(),
      "72h",
      "168h",
    ]);
  });

  it("is not this morning, also shortly after midnight", () => {
    const now = new Date(2026, 0, 31, 0, 5).getTime();
    expect(Date.parse(untilOf("tomorrow", now)) - now).toBeGreaterThan(24 * 3_600_000);
  });
});
