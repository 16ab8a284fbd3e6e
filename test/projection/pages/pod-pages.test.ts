import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonical } from "../../../src/job/model/canonical.ts";
import { isPodFact, type PodFact } from "../../../src/job/model/fact.ts";
import { emptyJob, factsOf, joinFacts } from "../../../src/job/model/job-record.ts";
import { factsOfPod, type PodRecord } from "../../../src/job/model/pod-record.ts";
import { emptyTree, PagedSet } from "../../../src/projection/pages/page-tree.ts";
import { joinIntoPages, podPages, sortPods } from "../../../src/projection/pages/pod-pages.ts";
import { arbitraryFact } from "../../support/facts/arbitrary-facts.ts";
import { largeJobUid } from "../../support/facts/large-job-facts.ts";
import { collect } from "../../support/running/collect.ts";
import { throwAwayPages } from "../../../src/upkeep/replay/fresh-fold.ts";

const podFacts = fc
  .array(arbitraryFact, { maxLength: 60 })
  .map((facts) => facts.filter(isPodFact).map((fact): PodFact => ({ ...fact, jobUid: largeJobUid })));
const textOf = (pod: PodRecord | undefined) => pod && canonical(factsOfPod(pod));

describe("the Pods of a Job in pages", () => {
  it("are those that their facts give, whatever the batches", async () => {
    await fc.assert(
      fc.asyncProperty(podFacts, fc.integer({ min: 1, max: 20 }), async (facts, size) => {
        const store = throwAwayPages();
        let tree = emptyTree(podPages);
        const known = new Map<PodRecord["uid"], PodRecord>();
        for (let from = 0; from < facts.length; from += size) {
          const joined = await joinIntoPages(store, tree, facts.slice(from, from + size));
          for (const { before, after } of joined.changes) {
            expect(textOf(before)).toBe(textOf(known.get(after.uid)));
            known.set(after.uid, after);
          }
          tree = joined.tree;
        }
        const { pods, job } = joinFacts(emptyJob(largeJobUid), facts);
        const items = await collect(new PagedSet(podPages, store).items(tree));
        const read = new Map(items.map(({ pod }) => [pod.uid, pod]));
        expect(canonical(factsOf({ job, pods: read }))).toBe(canonical(factsOf({ job, pods })));
        expect(items.map(({ pod }) => pod.uid)).toEqual(sortPods(pods.values()).map(({ pod }) => pod.uid));
      }),
    );
  });

  it("do not change by facts that they have", async () => {
    await fc.assert(
      fc.asyncProperty(podFacts, async (facts) => {
        const store = throwAwayPages();
        const { tree } = await joinIntoPages(store, emptyTree(podPages), facts);
        expect(await joinIntoPages(store, tree, facts)).toEqual({ tree, changes: [] });
      }),
    );
  });
});
