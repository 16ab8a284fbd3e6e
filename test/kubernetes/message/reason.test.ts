import { describe, expect, it } from "vitest";
import { reasonOf } from "../../../src/kubernetes/message/reason.ts";

describe("a reason", () => {
  it.each([
    "Evicted",
    "OOMKilled",
    "E",
    "OutOfephemeral-storage",
    "OutOfnvidia.com/gpu",
    "example.com/Quota_Exceeded",
    "R".repeat(128),
  ])("is kept if it is a token: %s", (reason) => {
    expect(reasonOf(reason)).toBe(reason);
  });

  it.each([
    ["prose", "The database password is hunter2"],
    ["a URL with credentials", "https://user:secret@registry.example/v2?token=abc"],
    ["markup", "<script>alert(1)</script>"],
    ["a line break", "Failed\nDone"],
    ["a terminal sequence", "\u001b[31mFailed"],
    ["an assignment", "TOKEN=abc"],
    ["too long", "R".repeat(129)],
  ])("is replaced if it is text: %s", (_, reason) => {
    expect(reasonOf(reason)).toBe("InvalidReason");
  });

  it("is absent if it is empty or not a string", () => {
    expect([undefined, 7, null, ""].map(reasonOf)).toEqual([undefined, undefined, undefined, undefined]);
  });
});
