import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isJobFact, isRunFact, type ClusterFact, type Fact } from "../../src/job/model/fact.ts";
import {
  joinRecordValue,
  noteCluster,
  noteNamespace,
  projectClusterFacts,
  recordKeyOf,
} from "../../src/projection/project-cluster.ts";
import { arbitraryFact } from "../support/facts/arbitrary-facts.ts";
import { clusterNamed } from "../support/facts/names.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";

const east = clusterNamed("east");
const RETRY = { attempts: 3, pause: async () => undefined };
const isClusterFact = (fact: Fact): fact is ClusterFact => !isJobFact(fact) && !isRunFact(fact);
const keyOf = (fact: ClusterFact): string => JSON.stringify(recordKeyOf(east, fact));
const clusterFact = arbitraryFact.filter(isClusterFact);
/** Facts of one record. */
const facts = fc.array(clusterFact, { minLength: 1, maxLength: 40 }).map((all) => {
  const [first] = all;
  return first === undefined ? [] : all.filter((fact) => keyOf(fact) === keyOf(first));
});
const keyOfAll = ([first]: readonly ClusterFact[]) =>
  first === undefined ? expect.fail("There is a fact.") : recordKeyOf(east, first);

describe("the record of facts about a cluster", () => {
  it("has the same value for any order, repeats and batches", () => {
    fc.assert(
      fc.property(facts, fc.nat(), fc.nat(), (all, seed, cut) => {
        const record = keyOfAll(all);
        const once = joinRecordValue(record, undefined, all);
        const shuffled = fc
          .sample(fc.shuffledSubarray([...all], { minLength: all.length }), { numRuns: 1, seed })
          .flat();
        const at = cut % (all.length + 1);
        const first = joinRecordValue(record, undefined, shuffled.slice(0, at));
        const whole = joinRecordValue(record, at === 0 ? undefined : first, [...shuffled.slice(at), ...shuffled]);
        expect(whole).toBe(once);
      }),
    );
  });

  it("is written once, and not again for facts that it has", async () => {
    await fc.assert(
      fc.asyncProperty(facts, async (all) => {
        const meta = new MemoryMetaStore();
        const record = keyOfAll(all);
        expect(await projectClusterFacts(meta, { record, facts: all }, RETRY)).toBe("written");
        expect(await projectClusterFacts(meta, { record, facts: all }, RETRY)).toBe("unchanged");
        expect((await meta.read(record.kind, record.key))?.version).toBe(1);
      }),
    );
  });
});

describe("a namespace and a cluster", () => {
  it("are noted once", async () => {
    const meta = new MemoryMetaStore();
    for (let time = 0; time < 2; time += 1) {
      await noteCluster(meta, east);
      await noteNamespace(meta, east, "night");
    }
    expect(meta.contents()).toHaveLength(2);
    expect((await meta.read("cluster", east))?.version).toBe(1);
  });
});
