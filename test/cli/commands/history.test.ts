import { describe, expect, it } from "vitest";
import { define } from "../../../cli/commands/history.ts";
import { commandOverRuns } from "./runs-of-database.ts";

const history = commandOverRuns(define);

describe("outlive history, for a run", () => {
  it("prints what happened to it and its Jobs", async () => {
    const { stdout } = await history("jobset/train", "-n", "ml");
    const rows = stdout.split("\n").map((line) => line.split(/ {3,}/));
    expect(rows[0]).toEqual(["TIME", "EVENT", "OBJECT", "DETAIL"]);
    expect(rows).toContainEqual(["2026-01-01T00:00:12Z", "Restarted", "jobset/train", "attempt 1"]);
    expect(rows.at(-2)).toEqual([
      "2026-01-01T00:01:00Z",
      "Condition",
      "jobset/train",
      "Completed True (AllJobsCompleted)",
    ]);
  });

  it("names each object once", async () => {
    const { stdout } = await history("jobset/train", "-n", "ml", "-o", "name");
    expect(stdout.split("\n").sort((a, b) => (a < b ? -1 : 1))).toEqual([
      "",
      "job/train-worker-0",
      "job/train-worker-1",
      "jobset/train",
    ]);
  });

  it("says that there are more events", async () => {
    const { stderr } = await history("jobset/train", "-n", "ml", "--limit", "2");
    expect(stderr).toMatch(/^Printed the first 2 events\. There are more/);
  });
});
