import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Finding } from "../../../../src/explain/answer-document.ts";
import { unsaid, unsaidFinding } from "../../../../web/job/answer/unsaid.ts";

const HEADLINE =
  "Failed (BackoffLimitExceeded): 0 of 1 succeeded; OOMKilled: container work exceeded its memory limit (32Mi); " +
  "backoffLimit (1) reached.";

describe("sentences without what was said", () => {
  it.each<[string, string, readonly string[]]>([
    ["the same clause", "OOMKilled: container work exceeded its memory limit (32Mi).", []],
    [
      "a clause with a label",
      "Attempts: a-1: OOMKilled: container work exceeded its memory limit (its Pod is gone).",
      [],
    ],
    ["another clause", "Container work exited with code 3.", ["Container work exited with code 3."]],
    [
      "a known and a new clause",
      "OOMKilled: container work exceeded its memory limit; counted against backoffLimit.",
      ["Counted against backoffLimit."],
    ],
    ["a word of it", "Attempts: OOMKilled.", ["Attempts: OOMKilled."]],
  ])("with %s", (_, sentence, left) => {
    expect(unsaid([sentence], [HEADLINE])).toEqual(left);
  });

  it("are compared with each other", () => {
    const [full, repeated] = [
      "Unschedulable: no node fits (taint on 1).",
      "Attempts: a-1: Unschedulable: no node fits.",
    ];
    expect(unsaid([full, repeated], [HEADLINE])).toEqual([full]);
  });

  it("are all of them if nothing was said, and never more", () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8}){3,6}\.$/));
    fc.assert(
      fc.property(words, (sentences) => {
        expect(unsaid(sentences.slice(0, 1), [])).toEqual(sentences.slice(0, 1));
        expect(unsaid(sentences, sentences)).toEqual([]);
      }),
    );
  });
});

describe("what a finding adds to the headline", () => {
  it.each<[Finding["kind"], string, string, string]>([
    ["LimitReached", "The back-off limit ended the Job, by Pods: 3 Pods failed, backoffLimit (2).", HEADLINE, ""],
    [
      "LimitReached",
      "The Job's activeDeadlineSeconds (16 s) ended it; backoffLimit (6) was not reached: 2 Pods had failed before.",
      "Failed (DeadlineExceeded): 0 of 1 succeeded; the Job's activeDeadlineSeconds (16 s) passed.",
      "backoffLimit (6) was not reached: 2 Pods had failed before.",
    ],
    [
      "LimitReached",
      "2 Pods ran into the Pod's own activeDeadlineSeconds.",
      "Running: 0 of 1 succeeded.",
      "2 Pods ran into the Pod's own activeDeadlineSeconds.",
    ],
    [
      "ReRunAfterSuccess",
      "8 needless re-runs (19 s of running), each Pod deleted by pod-garbage-collector.",
      "Complete; 8 needless re-runs, each Pod deleted by pod-garbage-collector after it had succeeded.",
      "19 s of running.",
    ],
    ["SuccessFlipped", "Its success was reported Failed later.", HEADLINE, "Its success was reported Failed later."],
  ])("of %s %j to %j is %j", (kind, message, headline, left) => {
    expect(unsaidFinding({ kind, message }, headline)).toBe(left);
  });
});
