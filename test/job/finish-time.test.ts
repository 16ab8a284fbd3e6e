import { describe, expect, it } from "vitest";
import { finishTimeOf } from "../../src/job/finish-time.ts";
import { parseInstant } from "../../src/job/instant.ts";
import { type CasePod, finishTimesOfCase, functionCases } from "../support/conformance-case.ts";

describe("the end of a Pod", () => {
  it.each(functionCases<{ readonly pod: CasePod }, { readonly finishTime: string }>("TestGetFinishedTime"))(
    "takes a Pod's end from what it says best: %s",
    (_, { input, expected }) => {
      expect(finishTimeOf(finishTimesOfCase(input.pod))).toBe(parseInstant(expected.finishTime));
    },
  );
});
