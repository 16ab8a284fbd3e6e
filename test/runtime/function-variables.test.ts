import { describe, expect, it } from "vitest";
import { FUNCTION_VARIABLES, type FunctionName } from "../../src/deployment/environment.ts";
import { variablesOf } from "../../src/runtime/function-variables.ts";

describe("the variables of a function", () => {
  it.each(Object.entries(FUNCTION_VARIABLES))("%s are those of the deployment contract", (name, variables) => {
    expect(Object.keys(variablesOf(name as FunctionName).entries).toSorted()).toEqual([...variables].toSorted());
  });
});
