import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JobFact } from "../../../src/job/model/fact.ts";
import { emptyJob, factsOf, joinFacts } from "../../../src/job/model/job-record.ts";
import { canonical } from "../../../src/job/model/canonical.ts";
import { decodeJobState, type JobState, emptyJobState } from "../../../src/projection/job-state/job-state.ts";
import { INLINE_PODS, joinJobState } from "../../../src/projection/job-state/join-job-state.ts";
import { throwAwayPages } from "../../../src/upkeep/replay/fresh-fold.ts";
import { PagedSet, type PageStore } from "../../../src/projection/pages/page-tree.ts";
import { podPages } from "../../../src/projection/pages/pod-pages.ts";
import { collect } from "../../support/running/collect.ts";
import { largeJobFacts, largeJobUid, podBeginFacts, podEndFacts } from "../../support/facts/large-job-facts.ts";

/** Facts joined batch after batch, each state written down and read again. */
async function joined(batches: readonly (readonly JobFact[])[], pages = throwAwayPages()) {
  let state: JobState = emptyJobState(largeJobUid);
  let bytes: Uint8Array = new Uint8Array();
  for (const facts of batches) {
    const next = await joinJobState(state, { facts, segments: [] }, pages);
    if (next === undefined) continue;
    bytes = next.bytes;
    state = decodeJobState(largeJobUid, bytes);
  }
  return { state, bytes, pages };
}

async function factsHeld(state: JobState, pages: PageStore): Promise<readonly JobFact[]> {
  if (state.layout === "inline") return factsOf(state.record);
  const items = await collect(new PagedSet(podPages, pages).items(state.pods));
  return factsOf({ job: state.job, pods: new Map(items.map(({ pod }) => [pod.uid, pod])) });
}

const jobFacts = largeJobFacts({ indexed: false, completions: 1_000 });
const pods = (count: number) =>
  Array.from({ length: count }, (_, number) => [...podBeginFacts(number), ...podEndFacts(number)]);

describe("a Job with many Pods", () => {
  it("has the same bytes and facts for any order, batches and repeats", async () => {
    const story = [...jobFacts, ...pods(400).flat()];
    const once = await joined([story]);
    const text = canonical(factsOf(joinFacts(emptyJob(largeJobUid), story)));
    expect(once.state.layout).toBe("large");
    expect(canonical(await factsHeld(once.state, once.pages))).toBe(text);
    const shuffles = fc.shuffledSubarray(story, { minLength: story.length });
    const plan = fc.tuple(shuffles, fc.subarray(story, { maxLength: 300 }), fc.integer({ min: 300, max: 2_000 }));
    await fc.assert(
      fc.asyncProperty(plan, async ([shuffled, repeated, size]) => {
        const facts = [...shuffled, ...repeated];
        const batches = Array.from({ length: Math.ceil(facts.length / size) }, (_, batch) =>
          facts.slice(batch * size, (batch + 1) * size),
        );
        const { bytes, state, pages } = await joined(batches);
        expect(Buffer.compare(bytes, once.bytes)).toBe(0);
        expect(canonical(await factsHeld(state, pages))).toBe(text);
      }),
      { numRuns: 5 },
    );
  });

  it.each([
    [INLINE_PODS, "inline"],
    [INLINE_PODS + 1, "large"],
  ])("with %i Pods is state %s", async (count, layout) => {
    const { state } = await joined([[...jobFacts, ...pods(count).flat()]]);
    expect(state.layout).toBe(layout);
  });

  it("moves a Pod to its sortKey when its creation becomes known", async () => {
    const story = [...jobFacts, ...pods(400).flat()];
    const late = podBeginFacts(17);
    const { bytes } = await joined([story.filter((fact) => !late.includes(fact as never)), late]);
    expect(Buffer.compare(bytes, (await joined([story])).bytes)).toBe(0);
  });

  it("is not written again for what it knows", async () => {
    const story = [...jobFacts, ...pods(300).flat()];
    const { state, pages } = await joined([story]);
    expect(await joinJobState(state, { facts: story.slice(500, 900), segments: [] }, pages)).toBeUndefined();
  });
});
