import { describe, expect, it } from "vitest";
import { logCheck } from "../../../cli/upgrade/log-check.ts";

const NONE = { segments: 0, schemas: [], newer: [], damaged: 0 };

describe("the check of a log", () => {
  it.each([
    [
      "is fine with schemas that this release reads",
      { ...NONE, segments: 3, schemas: [2, 5] },
      "ok",
      "Schemas 2 and 5",
    ],
    ["is fine with one schema", { ...NONE, segments: 1, schemas: [10] }, "ok", "Schema 10 in 1 of"],
    ["is fine with an empty log", NONE, "ok", "no segments yet"],
    ["fails with a segment of a later release", { ...NONE, newer: ["Schema 11."] }, "failed", "Schema 11."],
    ["warns of damaged segments", { ...NONE, damaged: 2 }, "warning", "2 segments cannot be decoded"],
  ])("%s", (_, sample, result, words) => {
    const check = logCheck(sample, "9 segments");
    expect(check).toMatchObject({ result, found: sample.schemas, detail: expect.stringContaining(words) as string });
  });
});
