import { describe, expect, it } from "vitest";
import { staleText, stateText } from "../../src/explain/state-text.ts";
import { listedJob } from "../support/story/listed-job.ts";

const running = listedJob({ verdict: { state: "Running", final: false, basis: "both" } });
const stale = { ...running, completeness: { level: "stale", gaps: [], heardAt: "2026-11-21T12:00:00Z" } as const };

describe("the state of a Job in a table", () => {
  it("names the state", () => {
    expect(stateText(running)).toBe("Running");
  });

  it("says that it is stale if the cluster has been silent", () => {
    expect(stateText(stale)).toBe("Running (stale)");
  });
});

describe("the remark below a table", () => {
  it("is absent while every Job is current", () => {
    expect(staleText([running])).toBeUndefined();
  });

  it("names each silent cluster once, with the last data that came from it", () => {
    const later = { ...stale, completeness: { ...stale.completeness, heardAt: "2026-11-21T13:00:00Z" } };
    expect(staleText([running, stale, later])).toBe(
      "No data from cluster east since 2026-11-21T13:00:00Z: " +
        "2 Jobs are shown in the last known state, and may have changed since.",
    );
  });
});
