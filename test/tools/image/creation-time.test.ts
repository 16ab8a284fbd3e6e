import { describe, expect, it } from "vitest";
import { creationTime } from "../../../tools/image/creation-time.ts";

describe("the time of an image", () => {
  it.each([
    ["1970 by default", {}, "1970-01-01T00:00:00.000Z"],
    ["SOURCE_DATE_EPOCH", { SOURCE_DATE_EPOCH: "1795910400" }, "2026-11-29T00:00:00.000Z"],
  ])("is %s", (_, environment, expected) => {
    expect(creationTime(environment).toISOString()).toBe(expected);
  });

  it.each(["", "today", "-1", "1.5"])('is refused as "%s"', (SOURCE_DATE_EPOCH) => {
    expect(() => creationTime({ SOURCE_DATE_EPOCH })).toThrow(`SOURCE_DATE_EPOCH is "${SOURCE_DATE_EPOCH}". Set it to`);
  });
});
