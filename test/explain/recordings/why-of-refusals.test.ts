import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { whyTextsOf } from "../../support/recordings/why-texts.ts";

/** Recorded with `outlive record` on Kubernetes 1.36.3 with a real kubelet and scheduler. */
const RECORDING = join(import.meta.dirname, "../../recordings/refused-and-killed.ndjson.gz");

const texts = await whyTextsOf(RECORDING);
const headlines = new Map(texts.map(({ namespace, job, headline }) => [`${namespace}/${job}`, headline]));

describe("the headline of a Job", () => {
  it.each([
    ["quota/over-quota", "quota exceeded (requests.cpu: requested 500m, used 0, limit 100m)"],
    ["limits/over-limit", "LimitRange violated (cpu: requested 2, limit 100m)"],
    ["secure/not-restricted", "Pod Security level restricted does not allow it"],
    ["accounts/no-account", "ServiceAccount is missing"],
    ["queues/in-kueue", "queued by Kueue in queue gpu"],
    ["queues/on-hold", "Suspended since 2026-11-22T12:59:26Z"],
    ["queues/gated", "queued by Kueue"],
    ["probes/unhealthy", "liveness probe failed, so container work was killed in 2 of 2 attempts"],
    ["probes/slow-start", "startup probe failed, so container work was killed in 2 of 2 attempts"],
    ["probes/bad-hook", "postStart hook failed, so container work was killed in 2 of 2 attempts"],
    ["evicted/drained", "evicted through the eviction API from node-a"],
  ])("%s says: %s", (job, cause) => {
    expect(headlines.get(job)).toContain(cause);
  });
});

describe("why, for every Job of the recording", () => {
  it("is what was reviewed", async () => {
    const sections = texts.map(({ namespace, job, text }) => `# ${namespace}/${job}\n\n${text}`);
    await expect(sections.join("\n\n")).toMatchFileSnapshot("why-of-refusals.golden.md");
  });

  it("contains no text of commands, images or probes", () => {
    expect(JSON.stringify(texts)).not.toMatch(/token=abc|outlive\.test\/work|\/bin\/false/);
  });
});
