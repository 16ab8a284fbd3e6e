import { describe, expect, it } from "vitest";
import { matchesFields, parseFieldSelector } from "../../../src/query/list/field-selector.ts";
import { listedJob } from "../../support/story/listed-job.ts";

describe("a field selector", () => {
  it.each([
    ["", true],
    ["metadata.name=report", true],
    ["metadata.name==report,metadata.namespace=batch", true],
    ["metadata.name!=report", false],
    ["status.successful=1", true],
    ["status.successful!=1", false],
    ["state=Complete", true],
    ["state=Failed", false],
    ["state=complete", true],
    ["state!=COMPLETE", false],
    ["metadata.name=a\\,b", false],
  ])("%j over a complete Job is %j", (text, expected) => {
    const parsed = parseFieldSelector(text);
    if (parsed.outcome === "rejected") throw new Error(parsed.problem);
    expect(matchesFields(parsed.selector, listedJob())).toBe(expected);
  });

  it.each([
    ["spec.suspend=true", 0],
    ["metadata.name", 13],
    ["metadata.name=a,toString=b", 16],
    ["metadata.name=a\\b", 15],
    ["metadata.name=a,state=Done", 16],
  ])("%j is refused at character %i", (text, at) => {
    expect(parseFieldSelector(text)).toMatchObject({ outcome: "rejected", at });
  });
});
