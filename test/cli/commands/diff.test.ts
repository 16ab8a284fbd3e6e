import { describe, expect, it } from "vitest";
import { define } from "../../../cli/commands/diff.ts";
import { factsOfRuns, nightlyRun } from "../../support/story/compared-story.ts";
import { commandOverRuns } from "./runs-of-database.ts";

const OTHER_REQUEST = { cpu: "500m", memory: "268435456" };
const diff = commandOverRuns(
  define,
  factsOfRuns(nightlyRun(0), nightlyRun(1, { ended: "Failed", requests: OTHER_REQUEST })),
);

describe("outlive diff", () => {
  it("lists what differs from the last good Job, and says it in words", async () => {
    const { stdout, stderr } = await diff("job/nightly-1", "-n", "default");
    const rows = stdout.split("\n").map((line) => line.split(/ {3,}/));
    expect(rows[0]).toEqual(["FIELD", "BEFORE", "AFTER"]);
    expect(rows).toContainEqual(["Exit code", "0", "137 (OOMKilled)"]);
    expect(rows).toContainEqual(["Request memory", "512Mi", "256Mi"]);
    expect(rows.some(([field]) => field === "Node")).toBe(false);
    expect(stderr).toContain("nightly-1 is Failed; nightly-0 of 2026-01-01T00:00:00Z is Complete.");
  });

  it("lists what is equal and unknown with -o wide", async () => {
    const { stdout } = await diff("nightly-1", "-n", "default", "-o", "wide");
    const rows = stdout.split("\n").map((line) => line.split(/ {3,}/));
    expect(rows).toContainEqual(["Node", "node-a", "node-a", "equal"]);
    expect(rows).toContainEqual(["Image", "not recorded", "not recorded", "unknown"]);
  });

  it("compares with the Job of a uid", async () => {
    const { stdout } = await diff("nightly-0", "-n", "default", "--with", "nightly-1-uid-1", "-o", "json");
    expect(JSON.parse(stdout)).toMatchObject({ chosen: "given", before: { name: "nightly-1" } });
  });

  it("says why there is no last good run", async () => {
    const { stdout, stderr } = await diff("jobset/train", "-n", "ml");
    expect([stdout, stderr]).toEqual(["", "No earlier run named train is known.\n"]);
  });
});
