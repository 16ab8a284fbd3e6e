import { describe, expect, it } from "vitest";
import { reportIncident } from "../../../cli/demo/incident-report.ts";
import { openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { importRecordings } from "../../../src/host/embedded/import-recordings.ts";
import { inProcessClient } from "../../../src/host/embedded/in-process-client.ts";

const example = (name: string): string => new URL(`../../../examples/${name}`, import.meta.url).pathname;

async function reportOf(...files: readonly string[]) {
  const embedded = openEmbedded(":memory:");
  try {
    await importRecordings(embedded, { clusterName: "incident", files: files.map(example) });
    return await reportIncident(inProcessClient(embedded, ":memory:"), (_, text) => text);
  } finally {
    embedded.close();
  }
}

describe("the report of an incident", () => {
  it("lists the Jobs with the most needless re-runs, who deleted their Pods, and explains the worst", async () => {
    const { text, worst } = await reportOf("pod-gc-ate-success.ndjson.gz", "pod-gc-ate-success.audit.ndjson.gz");
    expect(worst?.name).toBe("render-0018");
    const lines = text.split("\n");
    const header = lines.findIndex((line) => line.startsWith("JOB"));
    expect(lines.slice(header + 1, header + 6).map((line) => line.split(/ {2,}/)[0])).toContain("render-0018");
    expect(lines[header + 1]).toMatch(/^render-0018 +1 +9 +9 +.*pod-garbage-collector \(\d+\)$/);
    expect(text).toContain("8 needless re-runs");
  });

  it("says so where no work was repeated", async () => {
    expect(await reportOf("ttl.ndjson.gz")).toEqual({ text: "No Job has needless re-runs.\n" });
  });
});
