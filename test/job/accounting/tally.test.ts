import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonical } from "../../../src/job/model/canonical.ts";
import { tallyRulesOf } from "../../../src/job/accounting/counting-rules.ts";
import { recordRules } from "../../../src/explain/derived-job.ts";
import { foldJobs } from "../../../src/job/model/job-record.ts";
import { EMPTY_TALLY } from "../../../src/job/accounting/pod-tally.ts";
import { addTally, subtractTally, tallyPods } from "../../../src/job/accounting/tally.ts";
import { translate } from "../../../src/kubernetes/translate/translate.ts";
import { SmallCluster } from "../../support/kubernetes/small-cluster.ts";
import { Story } from "../../support/story/story.ts";

const played = fc
  .record({
    job: fc.record({
      completions: fc.integer({ min: 1, max: 4 }),
      parallelism: fc.integer({ min: 1, max: 3 }),
      backoffLimit: fc.integer({ min: 0, max: 3 }),
      completionMode: fc.constantFrom("NonIndexed" as const, "Indexed" as const),
      podReplacementPolicy: fc.constantFrom("TerminatingOrFailed" as const, "Failed" as const),
      tracked: fc.boolean(),
    }),
    acts: fc.array(fc.nat({ max: 16 * 64 }), { maxLength: 80 }),
  })
  .map(({ job, acts }) => {
    const cluster = new SmallCluster(job);
    for (const act of acts) cluster.act(act);
    const facts = cluster.events.flatMap((event) => {
      const translated = translate(event);
      return translated.outcome === "translated" ? translated.facts : [];
    });
    const [record] = foldJobs(facts).values();
    if (record === undefined) throw new Error("The small cluster has a Job.");
    return record;
  });

describe("the tally of a Job's Pods", () => {
  it("is the same in any order and in any parts", () => {
    fc.assert(
      fc.property(played, fc.nat(), (record, cut) => {
        const pods = [...record.pods.values()];
        const rules = recordRules(record, {});
        const at = cut % (pods.length + 1);
        const parts = addTally(tallyPods(pods.slice(at), rules), tallyPods(pods.slice(0, at), rules));
        expect(canonical(parts)).toBe(canonical(tallyPods(pods, rules)));
        expect(canonical(tallyPods(pods.toReversed(), rules))).toBe(canonical(tallyPods(pods, rules)));
      }),
    );
  });

  it("is the same after an addition and a subtraction, and after serialization", () => {
    fc.assert(
      fc.property(played, fc.nat(), (record, cut) => {
        const pods = [...record.pods.values()];
        const rules = recordRules(record, {});
        const at = cut % (pods.length + 1);
        const all = tallyPods(pods, rules);
        const rest = subtractTally(all, tallyPods(pods.slice(0, at), rules));
        expect(canonical(rest)).toBe(canonical(tallyPods(pods.slice(at), rules)));
        expect(JSON.parse(JSON.stringify(all))).toEqual(all);
      }),
    );
  });

  it("of no Pods is empty", () => {
    expect(tallyPods([], recordRules(new Story().record, {}))).toEqual(EMPTY_TALLY);
  });
});

const rules = (story: Story): string => tallyRulesOf(story.record.job, { podTracked: true });

describe("the rules of a tally", () => {
  const spec = { completionMode: "Indexed", completions: 4, parallelism: 4, podReplacementPolicy: "Failed" };

  it("stay the same while the Job runs", () => {
    const story = new Story();
    story.jobCreated(spec);
    story.jobReported({ active: 1 });
    const before = rules(story);
    story.jobSpecified({ suspend: true, activeDeadlineSeconds: 5 }, 2);
    story.jobReported({ active: 2, succeeded: 1, completedIndexes: "0" });
    story.jobFinished("Complete");
    story.jobDeleted();
    expect(rules(story)).toBe(before);
  });

  it("change when the Job is scaled", () => {
    const story = new Story();
    story.jobCreated(spec);
    story.jobReported({});
    const before = rules(story);
    story.jobSpecified({ completions: 2, parallelism: 2 }, 2);
    story.jobReported({});
    expect(rules(story)).not.toBe(before);
  });
});
