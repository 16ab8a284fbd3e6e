import * as v from "valibot";
import { describe, expect, expectTypeOf, it } from "vitest";
import {
  ConfigurationError,
  derived,
  readSettings,
  type Settings,
  variable,
  variablesIn,
  type VariablesOf,
} from "../../../../src/ports/deployment/settings/descriptor.ts";
import { positive } from "../../../../src/ports/deployment/settings/variables.ts";
import { configurationError } from "./function-environment.ts";

const COLOUR = v.string("is not set. Set it to a colour.");
const descriptor = {
  colour: variable("COLOUR", COLOUR),
  size: { width: variable("WIDTH", positive("the width")) },
  isRound: derived(
    {
      corners: variable("CORNERS", v.optional(v.string())),
      shape: variable("SHAPE", v.optional(v.string(), "circle")),
    },
    ({ corners, shape }): boolean => {
      if (corners !== undefined && shape === "circle") throw new ConfigurationError("A circle has no CORNERS.");
      return corners === undefined;
    },
  ),
};
const REQUIRED = { COLOUR: "red", WIDTH: "3" };

describe("the settings of a descriptor", () => {
  it("have the names and the nesting of the descriptor", () => {
    const settings = readSettings(descriptor, { ...REQUIRED, OTHER: "unread" });
    expect(settings).toEqual({ colour: "red", size: { width: 3 }, isRound: true });
    expectTypeOf(settings).toEqualTypeOf<Settings<typeof descriptor>>();
    expectTypeOf(settings.size.width).toBeNumber();
    expectTypeOf(settings.isRound).toBeBoolean();
  });

  it("are set by these variables: what has no default is required", () => {
    expect(variablesIn(descriptor).map((each) => each.variable)).toEqual(["COLOUR", "WIDTH", "CORNERS", "SHAPE"]);
    type Variables = VariablesOf<typeof descriptor>;
    expectTypeOf(REQUIRED).toExtend<Variables>();
    expectTypeOf<{ COLOUR: string }>().not.toExtend<Variables>();
    expectTypeOf<keyof Variables>().toEqualTypeOf<"COLOUR" | "WIDTH" | "CORNERS" | "SHAPE">();
  });

  it("are rejected with every variable that is unset, empty or invalid", () => {
    expect(configurationError(() => readSettings(descriptor, { COLOUR: "", WIDTH: "wide" }))).toBe(
      'COLOUR is not set. Set it to a colour.\nWIDTH is "wide". Set it to the width: a whole number of at least 1.',
    );
  });

  it("are rejected where variables contradict each other, once each of them is valid", () => {
    expect(configurationError(() => readSettings(descriptor, { ...REQUIRED, CORNERS: "4" }))).toBe(
      "A circle has no CORNERS.",
    );
    expect(configurationError(() => readSettings(descriptor, { WIDTH: "3", CORNERS: "4" }))).toMatch(/^COLOUR/);
  });
});
