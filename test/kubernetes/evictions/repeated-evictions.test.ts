import { describe, expect, it } from "vitest";
import type { EvictionObserved } from "../../../src/job/model/fact.ts";
import { RepeatedEvictions } from "../../../src/kubernetes/evictions/repeated-evictions.ts";
import { added, deleted, evictionRequest, factsOf } from "../../support/kubernetes/watch-objects.ts";

function observed(event: unknown): EvictionObserved {
  const [fact] = factsOf(event);
  return fact?.kind === "EvictionObserved" ? fact : expect.fail("the event is an EvictionRequest");
}

const wanted = observed(added(evictionRequest()));
const withdrawn = observed(added(evictionRequest({ spec: { intent: "Withdrawn" } })));

describe("the state of an EvictionRequest", () => {
  it("passes when it changes, and when the object is deleted", () => {
    const repeated = new RepeatedEvictions();
    expect([wanted, wanted, withdrawn, withdrawn, wanted].map((fact) => repeated.passes(fact))).toEqual([
      true,
      false,
      true,
      false,
      true,
    ]);
    expect(repeated.passes(observed(deleted(evictionRequest())))).toBe(true);
  });

  it("passes again once it is forgotten", () => {
    const repeated = new RepeatedEvictions();
    repeated.passes(wanted);
    repeated.forget(wanted.hintId);
    expect(repeated.passes(wanted)).toBe(true);
  });
});
