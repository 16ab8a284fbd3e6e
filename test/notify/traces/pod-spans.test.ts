import { describe, expect, it } from "vitest";
import { podSpans } from "../../../src/notify/traces/pod-spans.ts";
import { attemptOf } from "../../support/story/listed-attempt.ts";
import { second } from "../../support/story/listed-job.ts";

const at = (seconds: number): number => Date.parse(second(seconds));
const place = { cluster: "east", parentSpanId: "00000000000000aa", jobEndAt: at(60) };

describe("the spans of a Pod", () => {
  it("are the Pod, from its creation to its end, and each start of a container below it", () => {
    const containers = [0, 1].map((restartCount) => ({
      name: "work",
      exitCode: 1 - restartCount,
      reason: restartCount === 0 ? "Error" : "Completed",
      startedAt: second(2 + restartCount),
      finishedAt: second(3 + restartCount),
      restartCount,
    }));
    const [pod, first, again, ...others] = podSpans(attemptOf(1, { node: "n1", containers, restarts: 1 }), place);
    expect(others).toEqual([]);
    expect(pod).toMatchObject({ name: "pod", parentSpanId: place.parentSpanId, startAt: at(1), endAt: at(5) });
    expect(pod?.attributes).toMatchObject({
      "k8s.pod.name": "report-1",
      "k8s.pod.uid": "pod-1",
      "k8s.node.name": "n1",
      "outlive.pod.restarts": 1,
    });
    expect(first).toMatchObject({ name: "container work", parentSpanId: pod?.spanId, error: "Error: exit code 1" });
    expect(again).toMatchObject({ startAt: at(3), endAt: at(4) });
    expect(again?.error).toBeUndefined();
    expect(again?.attributes).toMatchObject({ "k8s.container.restart_count": 1, "process.exit.code": 0 });
    expect(new Set([pod, first, again].map((span) => span?.spanId)).size).toBe(3);
  });

  it("name why it failed, and who deleted it", () => {
    const deletedBy = {
      actor: "node-controller",
      cause: "the node was lost",
      confidence: "likely",
      evidence: [],
    } as const;
    const failed = attemptOf(1, {
      outcome: "Failed",
      category: "node-loss",
      cause: "n1 was lost",
      deletedAt: second(9),
    });
    const [pod] = podSpans({ ...failed, deletedBy }, place);
    expect(pod?.error).toBe("n1 was lost");
    expect(pod?.attributes["error.type"]).toBe("node-loss");
    expect(pod?.events).toContainEqual({
      name: "outlive.deleted",
      at: at(9),
      attributes: {
        "outlive.deleted.by": "node-controller",
        "outlive.deleted.cause": "the node was lost",
        "outlive.deleted.confidence": "likely",
      },
    });
  });

  it("name its deletion as the error of a Pod that was stopped", () => {
    const cause = "the Job was suspended or scaled down";
    const deletedBy = { actor: "job-controller", cause, confidence: "likely", evidence: [] } as const;
    const [pod] = podSpans(attemptOf(1, { outcome: "Failed", category: "deleted", reason: "Error", deletedBy }), place);
    expect(pod).toMatchObject({ error: cause, attributes: { "error.type": "deleted" } });
  });

  it.each([
    ["its deletion", { deletedAt: second(9) }, 9],
    ["the end of its Job", {}, 60],
  ])("end with %s at the latest if no end was observed, and say that this is an estimate", (_, said, expected) => {
    const { finishedAt: _finished, ...unended } = attemptOf(1, { outcome: "Unknown", ...said });
    const [pod] = podSpans(unended, place);
    expect(pod?.endAt).toBe(at(expected));
    expect(pod?.attributes["outlive.estimated_times"]).toEqual(["end"]);
    expect(pod?.error).toBeUndefined();
  });

  it("of a container that could not start has no duration", () => {
    const container = { name: "work", exitCode: 128, reason: "StartError", restartCount: 0 };
    const times = { startedAt: "1970-01-01T00:00:00Z", finishedAt: second(3) };
    const [, started] = podSpans(attemptOf(1, { containers: [{ ...container, ...times }] }), place);
    expect(started).toMatchObject({ startAt: at(3), endAt: at(3), error: "StartError: exit code 128" });
    expect(started?.attributes["outlive.estimated_times"]).toEqual(["start"]);
  });
});
