import { describe, expect, it } from "vitest";
import { decodeClusterName } from "../../../../src/job/model/ids.ts";
import { endCronJobs } from "../../../../src/count/metrics/schedules/end-cron-jobs.ts";
import type { SchedulePart } from "../../../../src/count/metrics/schedules/schedule-part.ts";
import { scheduleSeries } from "../../../../src/count/metrics/schedules/schedule-series.ts";

const east = decodeClusterName("east");
const counted = (uid: string) => ({
  uid,
  namespace: "batch",
  name: "report",
  missed: 2,
  recent: [],
  until: 0,
  shown: 3,
  kinds: ["MissedRun"],
  open: ["MissedRun"],
});

function shown(part: SchedulePart) {
  if (east === undefined) throw new Error("east is a name");
  return scheduleSeries(east, [part]).map(({ kind, labels, parts }) => [
    kind,
    Object.values(labels).at(-1),
    parts.get(0),
  ]);
}

describe("CronJobs that are gone", () => {
  it("leave what their counters have shown, and nothing that is open", () => {
    const part = endCronJobs({ cronJobs: [counted("a"), counted("b")], ended: [] }, [], 0);
    expect(part.cronJobs).toEqual([]);
    expect(part.ended).toHaveLength(2);
    expect(shown(part)).toEqual([
      ["gauge", "MissedRun", 0],
      ["counter", "MissedRun", 2],
      ["counter", "report", 6],
    ]);
  });

  it("change nothing while all of them exist", () => {
    const part: SchedulePart = { cronJobs: [], ended: [{ namespace: "batch", kind: "TrendSlower", count: 1 }] };
    expect(endCronJobs(part, [], 0)).toBe(part);
    expect(shown(part)).toEqual([
      ["gauge", "TrendSlower", 0],
      ["counter", "TrendSlower", 1],
    ]);
  });
});
