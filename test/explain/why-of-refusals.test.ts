import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { paintFor } from "../../cli/output/paint.ts";
import { formatWhy } from "../../cli/output/why-text.ts";
import { recordedFacts } from "../../src/embedded/recorded-facts.ts";
import { answerAndWhy } from "../../src/explain/why-record.ts";
import { foldFacts } from "../../src/query/job/fold-facts.ts";

/** Recorded with `outlive record` on Kubernetes 1.36.3 with a real kubelet and scheduler. */
const RECORDING = join(import.meta.dirname, "../recordings/refused-and-killed.ndjson.gz");

const reading = { events: 0, rejected: [], rejectedBeyond: 0 };
const { jobs, clusterContext, latestAt: now } = await foldFacts(recordedFacts([RECORDING], reading));
const answers = [...jobs].map((record) => answerAndWhy(record, { cluster: "recording", clusterContext, now }));
const headlines = new Map(answers.map(({ answer, why }) => [`${answer.namespace}/${answer.name}`, why.answer]));

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
    const texts = answers.map(({ answer, why }) => {
      const { cluster, namespace, name, uid, verdict, completeness, asOf } = answer;
      const whole = { cluster, namespace, name, uid, verdict, completeness, asOf, ...why };
      return `# ${namespace}/${name}\n\n${formatWhy(whole, paintFor("never", process.stdout))}`;
    });
    await expect(texts.join("\n\n")).toMatchFileSnapshot("why-of-refusals.golden.md");
  });

  it("contains no text of commands, images or probes", () => {
    expect(JSON.stringify(answers)).not.toMatch(/token=abc|outlive\.test\/work|\/bin\/false/);
  });
});
