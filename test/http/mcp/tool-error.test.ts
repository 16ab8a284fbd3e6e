import { describe, expect, it } from "vitest";
import { problem } from "../../../src/http/contract/problem.ts";
import { MAX_RESULT_BYTES } from "../../../src/http/mcp/answer.ts";
import { errorResult, refusedResult, ToolError } from "../../../src/http/mcp/tool-error.ts";

const textOf = ({ content }: ReturnType<typeof errorResult>) => JSON.parse(content[0]?.text ?? "") as unknown;

describe("the result of a tool that cannot answer", () => {
  it("has a sentence, and what the target may mean", () => {
    const candidates = [{ target: "prod/batch/job/report" }];
    const result = errorResult(new ToolError("2 objects have this name.", candidates));
    expect([result.isError, textOf(result)]).toEqual([true, { sentence: "2 objects have this name.", candidates }]);
  });

  it("has as many candidates as fit", () => {
    const candidate = { untrusted: { name: '"'.repeat(253) } };
    const result = errorResult(
      new ToolError(
        "Several have this name.",
        Array.from({ length: 20 }, () => candidate),
      ),
    );
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(MAX_RESULT_BYTES);
    expect((textOf(result) as { readonly candidates: readonly unknown[] }).candidates.length).toBeGreaterThan(3);
  });

  it.each([
    [problem("no-such-job", "Job x not found. Did you mean y?"), /^No Job has this name/],
    [problem("forbidden", "A report needs the grant east/*."), /^These credentials lack a grant/],
    [problem("internal", "x"), /^Outlive could not compute/],
    [problem("archive-too-large", "x"), /^Outlive refused the request/],
    [problem("bad-cursor", "x"), /^The cursor is invalid/],
  ])("of %j says what to do, with the detail below the mark", (refused, sentence) => {
    expect(textOf(refusedResult(refused))).toMatchObject({
      sentence: expect.stringMatching(sentence) as string,
      status: refused.status,
      untrusted: { detail: refused.detail },
    });
  });
});
