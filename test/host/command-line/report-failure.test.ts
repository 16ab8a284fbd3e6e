import { describe, expect, it, vi } from "vitest";
import { reportFailure } from "../../../src/host/command-line/report-failure.ts";

function reported(error: unknown, stack = false): string {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  reportFailure(error, { stack });
  const text = write.mock.calls.map(([written]) => String(written)).join("");
  write.mockRestore();
  return text;
}

describe("the report of a failure", () => {
  it("is its message on standard error, without control characters", () => {
    expect(reported(new Error("no\u001B[31m file"))).toBe("error: no\uFFFD[31m file\n");
    expect(reported("gone")).toBe("error: gone\n");
  });

  it("has the stacks of the error and of its causes on request", () => {
    const failure = new Error("outer", { cause: new Error("inner") });
    const text = reported(failure, true);
    expect(text).toMatch(/^error: outer\nError: outer\n[\s\S]*caused by Error: inner\n/);
    expect(reported("gone", true)).toBe("error: gone\n");
  });
});
