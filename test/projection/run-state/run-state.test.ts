import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyRun, joinRunFacts } from "../../../src/explain/run/run-record.ts";
import { isRunFact } from "../../../src/job/model/fact.ts";
import { decodeRun, encodeRun, RunUnreadableError } from "../../../src/projection/run-state/run-state.ts";
import { wrap } from "../../../src/segment/envelope.ts";
import { queuedJobSet, restartedJobSet } from "../../support/story/run-story.ts";

const FACTS = [...restartedJobSet({ name: "next" }), ...queuedJobSet()].filter(isRunFact);

describe("an encoded run", () => {
  it("is decoded to the same record", () => {
    const record = { ...joinRunFacts(emptyRun("next-uid"), FACTS), isStored: true as const };
    expect(decodeRun("next-uid", encodeRun(record))).toEqual(record);
    expect(decodeRun("none", encodeRun(emptyRun("none")))).toEqual({ ...emptyRun("none"), isStored: true });
  });

  it("has what each Job reserved, exactly", () => {
    const usage = {
      pods: 3,
      isAtMost: true,
      podTime: new Map([["kept" as const, 2n ** 60n + 1n]]),
      resources: new Map([["cpu", new Map([["kept" as const, 2n ** 90n + 1n]])]]),
    };
    const job = { uid: "a", name: "a", createdAt: 0, state: "Complete" as const };
    const member = { namespace: "ml", owners: [], externalIds: {}, labels: {}, level: "complete" as const, job };
    const jobs = new Map([
      ["a", { ...member, usage }],
      ["b", { ...member, job: { ...job, uid: "b" } }],
    ]);
    expect(decodeRun("next-uid", encodeRun({ ...emptyRun("next-uid"), jobs })).jobs).toEqual(jobs);
  });

  it("has the same bytes for any order of the facts", () => {
    const bytes = encodeRun(joinRunFacts(emptyRun("next-uid"), FACTS));
    const orders = fc.shuffledSubarray(FACTS, { minLength: FACTS.length });
    fc.assert(
      fc.property(orders, (facts) => {
        const twice = joinRunFacts(joinRunFacts(emptyRun("next-uid"), facts), facts);
        expect(encodeRun(twice)).toEqual(bytes);
      }),
    );
  });

  it.each([
    ["damaged", Uint8Array.of(3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)],
    ["empty", new Uint8Array()],
    ["of a later format", wrap("[2,[],[]]", 3).bytes],
  ])("that is %s is an error which names the remedy", (_, bytes) => {
    expect(() => decodeRun("next-uid", bytes)).toThrow(RunUnreadableError);
    expect(() => decodeRun("next-uid", bytes)).toThrow(/outlive replay/);
  });
});
