import { describe, expect, it } from "vitest";
import { bandsOf, marksOf, piecesOf, silenceBefore } from "../../../../web/job/timeline/timeline-marks.ts";
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

describe("the time at the end of an axis", () => {
  const heardAt = Date.parse(second(0));

  it("is silence from the last data on, if that is more than five minutes", () => {
    const to = heardAt + 5 * 60_000 + 1;
    expect(silenceBefore(to, heardAt)).toEqual([{ from: heardAt, to, text: "no data from the cluster" }]);
  });

  it("is none within five minutes, or where the last data has no time", () => {
    expect(silenceBefore(heardAt + 5 * 60_000, heardAt)).toEqual([]);
    expect(silenceBefore(heardAt, undefined)).toEqual([]);
  });
});

function band(from: number | undefined, to: number | undefined) {
  return { from, to, text: "gap" };
}

describe("the pieces of a time", () => {
  it.each([
    ["without a gap are one", [], ["10-20 observed"]],
    ["are broken by a gap", [band(12, 14)], ["10-12 observed", "12-14", "14-20 observed"]],
    ["end with a gap that has no end", [band(15, undefined)], ["10-15 observed", "15-20"]],
    ["begin with a gap that has no beginning", [band(undefined, 15)], ["10-15", "15-20 observed"]],
    ["are none that was observed, within a gap", [band(5, 25)], ["10-20"]],
    ["ignore gaps outside", [band(1, 10), band(20, 25)], ["10-20 observed"]],
    [
      "keep overlapping gaps",
      [band(12, 16), band(14, 18)],
      ["10-12 observed", "12-14", "14-16", "16-18", "18-20 observed"],
    ],
  ])("%s", (_, bands, pieces) => {
    const found = piecesOf({ from: 10, to: 20 }, bands);
    expect(found.map(({ from, to, isObserved }) => `${from}-${to}${isObserved ? " observed" : ""}`)).toEqual(pieces);
  });
});
