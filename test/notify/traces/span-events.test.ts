import { describe, expect, it } from "vitest";
import { deletionEvents, findingEvents, queueEvents } from "../../../src/notify/traces/span-events.ts";
import { second } from "../../support/story/listed-job.ts";

const at = (seconds: number): number => Date.parse(second(seconds));

describe("the events of a span", () => {
  it("are what its queue did; a preemptor has its uid alone", () => {
    const by = { kind: "JobSet", namespace: "secret", name: "theirs", uid: "u2" };
    const events = queueEvents({
      name: "lq",
      clusterQueue: "cq",
      waits: [{ from: second(1), to: second(2), reason: "QuotaExceeded", message: "cpu" }],
      admittedAt: [second(2)],
      evictions: [{ at: second(3), reason: "Preempted", by }],
    });
    expect(events.map(({ name, at: when }) => [name, when])).toEqual([
      ["outlive.queue.wait", at(1)],
      ["outlive.queue.admitted", at(2)],
      ["outlive.queue.evicted", at(3)],
    ]);
    expect(events[2]?.attributes).toMatchObject({
      "outlive.queue.eviction.reason": "Preempted",
      "outlive.queue.eviction.by_uid": "u2",
    });
    expect(JSON.stringify(events)).not.toMatch(/secret|theirs/);
    expect(queueEvents(undefined)).toEqual([]);
  });

  it("are its findings, at the end if their beginning is not known", () => {
    const [known, unknown] = findingEvents(
      [
        { kind: "CompletionLost", message: "lost", since: second(1), podCount: 3, evidence: [] },
        { kind: "LimitReached", message: "limit", evidence: [] },
      ],
      at(9),
    );
    expect(known).toMatchObject({
      at: at(1),
      attributes: { "outlive.finding.pods": 3, "outlive.finding.message": "lost" },
    });
    expect(unknown).toMatchObject({ at: at(9), attributes: { "outlive.finding.kind": "LimitReached" } });
  });

  it("have its deletion only if it was deleted", () => {
    expect(deletionEvents({})).toEqual([]);
    expect(deletionEvents({ deletedAt: second(4) })).toMatchObject([{ name: "outlive.deleted", at: at(4) }]);
  });
});
