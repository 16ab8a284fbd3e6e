import { expect, it } from "vitest";
import { warningsOf } from "../../../src/http/contract/warnings.ts";

it("an answer may have several warnings, or none", () => {
  const headers = new Headers();
  expect(warningsOf(headers)).toEqual([]);
  headers.append("warning", '299 outlive "An import has not finished."');
  headers.append("warning", '299 - "From the archive, read today."');
  expect(warningsOf(headers)).toEqual(["An import has not finished.", "From the archive, read today."]);
});
