import { describe, expect, it } from "vitest";
import { isState } from "../../../src/job/model/states.ts";

describe("a state", () => {
  it.each(["Pending", "Running", "Suspended", "Complete", "Failed", "Deleted", "Unknown"])("may be %s", (text) => {
    expect(isState(text)).toBe(true);
  });

  it.each(["", "failed", "constructor"])("is never %j", (text) => {
    expect(isState(text)).toBe(false);
  });
});
