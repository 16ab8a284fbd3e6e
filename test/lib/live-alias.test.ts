import { describe, expect, it } from "vitest";
import { LIVE, synthesise } from "./synthesised.ts";

const { template, resources } = synthesise(LIVE);

function pathsOf(type: string): readonly string[] {
  return [...resources.values()].filter((each) => each.type === type).map(({ path }) => path);
}

/** The functions of aliases, and of what invokes a function, by the logical ids in their texts. */
function invokedBy(type: string, property: string): readonly string[] {
  const texts = [...resources.values()].filter((each) => each.type === type);
  return texts.map(({ path, properties }) => {
    const text = JSON.stringify(properties[property]);
    const named = [...resources].filter(
      ([id, { type: kind }]) => /Lambda::(Alias|Function)$/.test(kind) && text.includes(`"${id}"`),
    );
    expect(named, path).toHaveLength(1);
    return named[0]?.[1].path ?? "";
  });
}

describe("the alias of a function", () => {
  it("exists where a canary tries versions, and where a deployment can keep one", () => {
    expect(pathsOf("AWS::Lambda::Alias")).toEqual([
      "Projection/Project/Live",
      "Projection/Refold/Live",
      "In/Ingest/Live",
      "Query/Query/Live",
      "Query/Acknowledge/Live",
    ]);
    expect(pathsOf("AWS::Lambda::Version")).toHaveLength(5);
    template.allResourcesProperties("AWS::Lambda::Alias", { Name: "live" });
    for (const { type, properties } of resources.values()) {
      if (type !== "AWS::Lambda::Alias") continue;
      const version: unknown = { "Fn::GetAtt": [expect.stringContaining("CurrentVersion"), "Version"] };
      expect(properties["FunctionVersion"]).toEqual(version);
    }
  });

  it("is what queues, streams, schedules and the API invoke", () => {
    const invoked = [
      ...invokedBy("AWS::Lambda::EventSourceMapping", "FunctionName"),
      ...invokedBy("AWS::Events::Rule", "Targets"),
      ...invokedBy("AWS::Lambda::Permission", "FunctionName"),
    ];
    expect(new Set(invoked)).toEqual(
      new Set([
        ...pathsOf("AWS::Lambda::Alias"),
        ...["Sweep/Sweep", "Audit/Audit", "Count/Count", "Query/Page"].map((path) => `${path}/Function`),
      ]),
    );
  });
});
