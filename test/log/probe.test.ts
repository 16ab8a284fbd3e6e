import { describe, expect, it } from "vitest";
import { probeProblem, sealProbe } from "../../src/log/probe.ts";
import { PROBE_CLUSTER } from "../../src/ports/deployment/limits.ts";
import { type JobFact } from "../../src/job/model/fact.ts";
import { emptyJob, joinFacts } from "../../src/job/model/job-record.ts";
import { decodeSegment } from "../../src/segment/decode-segment.ts";
import { sealSegment } from "../../src/segment/seal-segment.ts";
import type { Segment } from "../../src/segment/segment.ts";
import { clusterNamed } from "../support/facts/names.ts";
import { Story } from "../support/story/story.ts";

const NOON = Date.UTC(2026, 10, 21, 12);

function segmentAt(now: number): Segment {
  return decodedOf(sealProbe(now).sealed.bytes);
}

function decodedOf(bytes: Uint8Array): Segment {
  const decoded = decodeSegment(bytes);
  if (decoded.outcome === "rejected") throw new Error(decoded.reason);
  return decoded.segment;
}

describe("a probe", () => {
  it("is a segment of the cluster that no list shows", () => {
    expect(segmentAt(NOON)).toMatchObject({
      cluster: PROBE_CLUSTER,
      sealedAt: NOON,
      session: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
      sequence: 0,
    });
  });

  it("states a Job that is complete and never had a Pod", () => {
    const { resourceVersion, job } = sealProbe(NOON);
    const stamp = { jobUid: job.jobUid, epoch: 0, resourceVersion, at: NOON };
    const condition = { type: "Complete", status: "True", lastTransitionAt: NOON };
    expect(new Set(segmentAt(NOON).facts)).toEqual(
      new Set([
        { ...stamp, kind: "JobCreated", namespace: "probe", name: "probe", createdAt: NOON, labels: {} },
        {
          ...stamp,
          kind: "JobSpecified",
          generation: 1,
          spec: {
            parallelism: 0,
            completions: 0,
            completionMode: "NonIndexed",
            backoffLimit: 0,
            suspend: false,
            restartPolicy: "Never",
          },
        },
        {
          ...stamp,
          kind: "JobReported",
          generation: 1,
          mutable: { parallelism: 0, completions: 0, suspend: false },
          status: { conditions: [condition], startTime: NOON, completionTime: NOON },
        },
        { ...stamp, kind: "JobFinished", condition },
      ]),
    );
  });

  it("is about the same Job all day, with a higher resourceVersion and a session of its own", () => {
    const [first, second, tomorrow] = [sealProbe(NOON), sealProbe(NOON + 1000), sealProbe(NOON + 86_400_000)];
    expect(second.job).toEqual(first.job);
    expect(second.resourceVersion).toBeGreaterThan(first.resourceVersion);
    expect(segmentAt(NOON + 1000).session).not.toBe(segmentAt(NOON).session);
    expect(tomorrow.job.jobUid).not.toBe(first.job.jobUid);
    const facts = [...segmentAt(NOON).facts, ...segmentAt(NOON + 1000).facts] as readonly JobFact[];
    expect(joinFacts(emptyJob(first.job.jobUid), facts).job.reported?.resourceVersion).toBe(second.resourceVersion);
  });

  it("needs a time after 1970", () => {
    expect(() => sealProbe(-1)).toThrow(RangeError);
  });
});

const probe = segmentAt(NOON);

describe("a probe as a message", () => {
  it("is accepted for ten minutes", () => {
    expect(probeProblem(probe, NOON)).toBeUndefined();
    expect(probeProblem(probe, NOON + 600_000)).toBeUndefined();
    expect(probeProblem(probe, NOON + 600_001)).toMatch(/only new probes/);
  });

  it("is the same segment during a second, and another one in the next", () => {
    const hashes = [0, 1, 999, 1000].map((millis) => sealProbe(NOON + millis).sealed.sha256);
    expect(new Set(hashes.slice(0, 3)).size).toBe(1);
    expect(new Set(hashes).size).toBe(2);
  });
});

describe("a segment of the probes' cluster", () => {
  const forged = new Story("forged");
  forged.jobCreated();

  it.each([
    ["other facts", { facts: forged.facts }],
    ["more facts", { facts: [...probe.facts, ...forged.facts] }],
    ["fewer facts", { facts: probe.facts.slice(1) }],
    ["another session", { session: "0123456789abcdef" }],
    ["another sequence", { sequence: 1 }],
    ["a time between two seconds", { sealedAt: NOON + 1 }],
    ["the uid of a cluster", { kubeSystemUid: "k" }],
  ])("is refused if it has %s", (_, changed) => {
    expect(probeProblem(decodedOf(sealSegment({ ...probe, ...changed }).bytes), NOON)).toMatch(/only new probes/);
  });

  it("is not confused with one of another cluster", () => {
    expect(probeProblem({ ...probe, cluster: clusterNamed("east"), facts: forged.facts }, NOON)).toBeUndefined();
  });
});
