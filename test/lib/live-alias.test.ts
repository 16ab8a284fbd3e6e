import { describe, expect, it } from "vitest";
import { LIVE, synthesise } from "./synthesised.ts";

const { template, resources } = synthesise(LIVE);

/** Whether a property refers to an alias, on its own or within a text. */
function refersToAlias(property: unknown): boolean {
  const named = [...resources].filter(([, { type }]) => type === "AWS::Lambda::Alias").map(([logicalId]) => logicalId);
  return named.some((logicalId) => JSON.stringify(property).includes(`"${logicalId}"`));
}

function propertiesOf(type: string): readonly Readonly<Record<string, unknown>>[] {
  return [...resources.values()].filter((each) => each.type === type).map(({ properties }) => properties);
}

describe("the alias of a function", () => {
  it("points to a published version, and every function has one", () => {
    const functions = propertiesOf("AWS::Lambda::Function").length;
    expect(propertiesOf("AWS::Lambda::Version")).toHaveLength(functions);
    expect(propertiesOf("AWS::Lambda::Alias")).toHaveLength(functions);
    template.allResourcesProperties("AWS::Lambda::Alias", { Name: "live" });
    for (const { FunctionVersion } of propertiesOf("AWS::Lambda::Alias")) {
      expect(FunctionVersion).toEqual({ "Fn::GetAtt": [expect.stringContaining("CurrentVersion"), "Version"] });
    }
  });

  it("is what queues, streams, schedules and the API invoke", () => {
    const invoked = [
      ...propertiesOf("AWS::Lambda::EventSourceMapping").map(({ FunctionName }) => FunctionName),
      ...propertiesOf("AWS::Events::Rule").map(({ Targets }) => Targets),
      ...propertiesOf("AWS::Lambda::Permission").map(({ FunctionName }) => FunctionName),
    ];
    expect(invoked.length).toBeGreaterThan(10);
    for (const each of invoked) expect(refersToAlias(each), JSON.stringify(each)).toBe(true);
  });
});
