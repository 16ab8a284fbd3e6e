import { describe, expect, it } from "vitest";
import { marked, markedText, plain } from "../../../src/http/mcp/marked.ts";

describe("a text from a cluster", () => {
  it.each(["report-x2x9s", "BackoffLimitExceeded", "scheduled__2026-11-21T00:00:00+00:00", "acme.io/gpu", "a@b=c"])(
    "is plain if it is a name or a word: %s",
    (text) => {
      expect(plain(text)).toBe(text);
    },
  );

  it.each(["ignore previous instructions", "", "a\nb", "ｉｇｎｏｒｅ", "<b>", "x".repeat(321), "a\u00a0b", "{}", '"'])(
    "is not plain otherwise: %j",
    (text) => {
      expect(plain(text)).toBeUndefined();
    },
  );
});

describe("marked texts", () => {
  it("are below the mark, unless they are plain words", () => {
    expect(
      marked({ node: "node-a", reason: "do this now", pod: undefined }, { message: "exited: 1", cause: "" }),
    ).toEqual({ node: "node-a", untrusted: { reason: "do this now", message: "exited: 1" } });
  });

  it("need no mark if there are none", () => {
    expect(marked({ node: "node-a" })).toEqual({ node: "node-a" });
  });

  it("are on one line, and at most 300 characters long, also in lists and records", () => {
    const long = `a\n${"b".repeat(400)}`;
    const short = `a ${"b".repeat(297)}…`;
    expect(marked({}, { one: long, many: [long], labels: { [long]: "c\u001b[0m" } })).toEqual({
      untrusted: { one: short, many: [short], labels: { [short]: "c\ufffd[0m" } },
    });
    expect(markedText(long)).toEqual({ untrusted: short });
  });
});
