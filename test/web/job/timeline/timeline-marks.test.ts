import { describe, expect, it } from "vitest";
import { bandsOf, marksOf } from "../../../../web/job/timeline/timeline-marks.ts";
import { listedJob, second } from "../../../support/story/listed-job.ts";

describe("the marks of a timeline", () => {
  it("include an event of a Node once, although finding and evidence both contain it", () => {
    const fact = { kind: "NodeObserved", time: second(5), resourceVersion: "9", object: "node/a" };
    const job = listedJob({
      findings: [{ kind: "NodeUnreachable", message: "", evidence: [{ ...fact, detail: "became unreachable" }] }],
    });
    const { cluster, namespace, name, uid, verdict, completeness } = job;
    const why = {
      cluster,
      namespace,
      name,
      uid,
      verdict,
      completeness,
      answer: "",
      details: [],
      chain: [{ ...fact, sentence: "Became unreachable." }],
      omitted: { count: 0, atLeast: false },
      remedies: [],
    };
    expect(marksOf(job, why).map(({ text }) => text)).toEqual(["Job started", "a became unreachable", "Job finished"]);
  });

  it("include an ongoing gap, which has no end", () => {
    expect(bandsOf([{ from: second(1), resources: ["pods"], reason: "410" }])).toEqual([
      { from: Date.parse(second(1)), to: undefined, text: "monitoring gap: 410" },
    ]);
  });
});
