import { expect, it } from "vitest";
import { isProblem, problem } from "../../../src/http/contract/problem.ts";

it.each([
  [problem("no-such-job", "Job a not found."), true],
  [{ detail: "a", status: 404 }, true],
  [{ detail: 7, status: 404 }, false],
  [{ message: "Forbidden" }, false],
  ["a text", false],
  [null, false],
])("whether %j is a problem: %s", (body, expected) => {
  expect(isProblem(body)).toBe(expected);
});
