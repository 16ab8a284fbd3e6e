import { describe, expect, it } from "vitest";
import type { RunAnswer } from "../../../src/explain/run/run-document.ts";
import { runDuration, runMillis } from "../../../web/runs/run-duration.ts";

const jobs = { total: 1, complete: 1, failed: 0, running: 0, waiting: 0, deleted: 0, unknown: 0 };
const run: RunAnswer = {
  cluster: "east",
  namespace: "ml",
  kind: "JobSet",
  name: "train",
  labels: {},
  externalIds: {},
  verdict: { state: "Complete", final: true, basis: "both" },
  attempts: [],
  jobs,
  findings: [],
  completeness: { level: "complete", gaps: [] },
  asOf: { time: "2026-01-01T01:00:00Z" },
};

describe("the duration of a run", () => {
  it("is from its first start to its end", () => {
    const ended = { ...run, startedAt: "2026-01-01T00:00:00Z", finishedAt: "2026-01-01T00:01:05Z" };
    expect([runMillis(ended), runDuration(ended)]).toEqual([65_000, "65s"]);
  });

  it.each([{}, { startedAt: "2026-01-01T00:00:00Z" }, { finishedAt: "2026-01-01T00:00:00Z" }])(
    "is unknown for a run that is over with only %j",
    (times) => {
      expect([runMillis({ ...run, ...times }), runDuration({ ...run, ...times })]).toEqual([undefined, "–"]);
    },
  );
});
