import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonical } from "../../../src/job/model/canonical.ts";
import { isJobFact, isPodFact, type JobFact } from "../../../src/job/model/fact.ts";
import { emptyJob, factsOf, joinFacts } from "../../../src/job/model/job-record.ts";
import {
  areSameState,
  decodeJobState,
  emptyJobState,
  encodeJobState,
  isLargeState,
  type JobState,
  splitFacts,
} from "../../../src/projection/job-state/job-state.ts";
import { joinJobState } from "../../../src/projection/job-state/join-job-state.ts";
import { keyedSegment } from "../../../src/projection/job-state/log-keys.ts";
import { PageUnreadableError } from "../../../src/projection/pages/page-ref.ts";
import { arbitraryFact } from "../../support/facts/arbitrary-facts.ts";
import { largeJobFacts, largeJobUid, podBeginFacts, podEndFacts } from "../../support/facts/large-job-facts.ts";
import { earlierState } from "../../support/facts/earlier-state.ts";
import { throwAwayPages } from "../../../src/upkeep/replay/fresh-fold.ts";

/** Facts about one Job. */
const jobFacts = fc
  .array(arbitraryFact, { maxLength: 30 })
  .map((facts) => facts.filter(isJobFact).map((fact): JobFact => ({ ...fact, jobUid: largeJobUid })));
const segments = fc.array(
  fc.record({
    sealedAt: fc.nat(),
    sequence: fc.nat(),
    session: fc.constantFrom("0123456789abcdef", "fedcba9876543210"),
  }),
  { maxLength: 3 },
);

function stateOf(facts: readonly JobFact[], seenAt: number): JobState {
  const record = joinFacts(emptyJob(largeJobUid), facts);
  return { layout: "inline", record, segments: { kind: "few", segments: [] }, seenAt };
}

async function largeState(): Promise<JobState> {
  const pods = Array.from({ length: 300 }, (_, number) => [...podBeginFacts(number), ...podEndFacts(number)]);
  const facts = [...largeJobFacts({ indexed: true, completions: 300 }), ...pods.flat()];
  const joined = await joinJobState(emptyJobState(largeJobUid), { facts, segments: [] }, throwAwayPages());
  return joined?.state ?? expect.fail("The facts change the state.");
}

describe("the stored state of a Job", () => {
  it("is read as it was written, with its Pods in it", () => {
    fc.assert(
      fc.property(jobFacts, segments, fc.integer(), (facts, names, seenAt) => {
        const [name] = names;
        const state: JobState = {
          layout: "inline",
          record: joinFacts(emptyJob(largeJobUid), facts),
          segments: { kind: "few", segments: name === undefined ? [] : [keyedSegment(name)] },
          seenAt,
        };
        const bytes = encodeJobState(state);
        const read = decodeJobState(largeJobUid, bytes);
        expect(isLargeState(bytes)).toBe(false);
        expect(encodeJobState(read)).toEqual(bytes);
        expect(read).toMatchObject({ layout: "inline", segments: state.segments, seenAt });
        expect(read.layout === "inline" && canonical(factsOf(read.record))).toBe(canonical(factsOf(state.record)));
      }),
    );
  });

  it("is read as it was written, with the top of the tree of its Pods and their tally", async () => {
    const state = await largeState();
    const bytes = encodeJobState(state);
    expect([state.layout, isLargeState(bytes)]).toEqual(["large", true]);
    expect(decodeJobState(largeJobUid, bytes)).toEqual(state);
  });

  it("is empty before the first fact", () => {
    const empty = emptyJobState(largeJobUid);
    expect(decodeJobState(largeJobUid, encodeJobState(empty))).toEqual(empty);
  });

  it.each([0, 3, 127])("is not read in format %i, which is of another release", (format) => {
    const bytes = Uint8Array.from(encodeJobState(emptyJobState(largeJobUid)));
    bytes[0] = format;
    expect(() => decodeJobState(largeJobUid, bytes)).toThrow(PageUnreadableError);
    expect(() => decodeJobState(largeJobUid, bytes)).toThrow(`has format ${format}`);
  });
});

describe("a state that an earlier release compressed", () => {
  it("is read, and equals the state of this release but no other", () => {
    fc.assert(
      fc.property(jobFacts, jobFacts, fc.integer(), (facts, others, seenAt) => {
        const bytes = encodeJobState(stateOf(facts, seenAt));
        const earlier = earlierState(bytes);
        expect(encodeJobState(decodeJobState(largeJobUid, earlier))).toEqual(bytes);
        expect(areSameState(bytes, earlier)).toBe(true);
        expect(areSameState(encodeJobState(stateOf(facts, seenAt + 1)), earlier)).toBe(false);
        const other = encodeJobState(stateOf(others, seenAt));
        expect(areSameState(other, earlier)).toBe(Buffer.compare(other, bytes) === 0);
      }),
    );
  });

  it("equals the same state of a large Job, whose pages have the same names", async () => {
    const bytes = encodeJobState(await largeState());
    expect(areSameState(bytes, earlierState(bytes))).toBe(true);
    expect(areSameState(bytes, Uint8Array.from([...earlierState(bytes), 0]))).toBe(false);
  });

  it("joins more facts to the same bytes", async () => {
    await fc.assert(
      fc.asyncProperty(jobFacts, jobFacts, async (before, facts) => {
        const first = await joinJobState(emptyJobState(largeJobUid), { facts: before, segments: [] }, throwAwayPages());
        if (first === undefined) return;
        const delta = { facts, segments: [] };
        const read = decodeJobState(largeJobUid, earlierState(first.bytes));
        const joined = await joinJobState(read, delta, throwAwayPages());
        expect(joined?.bytes).toEqual((await joinJobState(first.state, delta, throwAwayPages()))?.bytes);
      }),
    );
  });

  it("equals nothing if it is damaged", () => {
    const bytes = encodeJobState(emptyJobState(largeJobUid));
    expect(areSameState(bytes, bytes.subarray(0, 3))).toBe(false);
    expect(
      areSameState(
        bytes,
        Uint8Array.from(bytes, (byte, at) => (at === bytes.length - 1 ? byte ^ 1 : byte)),
      ),
    ).toBe(false);
  });
});

describe("facts of a Job", () => {
  it("are about the Job's object or about its Pods, in their order", () => {
    fc.assert(
      fc.property(jobFacts, (facts) => {
        const { ofJob, ofPods } = splitFacts(facts);
        expect(ofPods).toEqual(facts.filter(isPodFact));
        expect(ofJob).toEqual(facts.filter((fact) => !isPodFact(fact)));
      }),
    );
  });
});
