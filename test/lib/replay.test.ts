import { describe, expect, it } from "vitest";
import { LIVE, synthesise } from "./synthesised.ts";

describe("the replay", () => {
  const machine = [...synthesise(LIVE).resources.values()].find(
    ({ type }) => type === "AWS::StepFunctions::StateMachine",
  );
  const definition = JSON.stringify(machine?.properties["DefinitionString"]).replaceAll("\\", "");

  it("processes units in executions of their own, and none that fails stops the others", () => {
    expect(definition).toContain('"Mode":"DISTRIBUTED"');
    expect(definition).toContain('"ToleratedFailureCount":10000');
    expect(definition).toContain('"MaxConcurrency":2');
  });

  it("starts a worker again that was killed, and keeps the results of units out of the state", () => {
    expect(definition.match(/"ErrorEquals":\["States.ALL"\]/g)).toHaveLength(4);
    expect(definition).toContain('"Done":{"Type":"Succeed","OutputPath":null}');
  });

  it("prepares the units of the next stage after those of one", () => {
    expect(definition).toContain('{"Variable":"$.outcome","StringEquals":"advanced","Next":"Prepare"}');
    expect(definition).toContain('"Payload":{"action":"finish","run.$":"$.run","stage.$":"$.stage"}');
  });
});
