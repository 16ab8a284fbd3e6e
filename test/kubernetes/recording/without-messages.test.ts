import { describe, expect, it } from "vitest";
import type { Fact } from "../../../src/job/model/fact.ts";
import { translate } from "../../../src/kubernetes/translate/translate.ts";
import { withoutMessages } from "../../../src/kubernetes/recording/without-messages.ts";
import { added, jobObject, podObject } from "../../support/kubernetes/watch-objects.ts";

const SECRET = "password=hunter2";
const WITH_TEXTS = { messages: true, containerMessages: true };

function factsOf(object: object, options: Partial<typeof WITH_TEXTS> = {}): readonly Fact[] {
  const translated = translate(added(object as Parameters<typeof added>[0]), options);
  if (translated.outcome !== "translated") throw new Error(JSON.stringify(translated));
  return translated.facts;
}

const terminated = { exitCode: 1, reason: "StartError", message: `exec: "${SECRET}": no such file or directory` };
const nodes = `0/3 nodes are available: 3 Insufficient cpu. ${SECRET}`;
const OBJECTS: readonly (readonly [string, object])[] = [
  [
    "a waiting container",
    podObject({
      status: {
        phase: "Pending",
        containerStatuses: [{ name: "work", state: { waiting: { reason: "ErrImagePull", message: SECRET } } }],
      },
    }),
  ],
  [
    "a Pod without a node",
    podObject({
      status: {
        phase: "Pending",
        conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message: nodes }],
      },
    }),
  ],
  [
    "an ended Pod",
    podObject({
      status: {
        phase: "Failed",
        reason: "Evicted",
        message: `The node was low on resource: memory. ${SECRET}`,
        conditions: [{ type: "DisruptionTarget", status: "True", reason: "EvictionByEvictionAPI", message: SECRET }],
        containerStatuses: [{ name: "work", restartCount: 1, state: { terminated }, lastState: { terminated } }],
      },
    }),
  ],
  [
    "a failed Job",
    jobObject({
      status: {
        conditions: [
          { type: "FailureTarget", status: "True", reason: "Custom", message: SECRET },
          { type: "Failed", status: "True", reason: "Custom", message: SECRET },
        ],
      },
    }),
  ],
  [
    "an Event",
    {
      kind: "Event",
      apiVersion: "v1",
      metadata: { name: "e", namespace: "a", uid: "u3", resourceVersion: "9" },
      involvedObject: { kind: "Pod", namespace: "a", name: "j", fieldPath: "spec.containers{work}" },
      reason: "Unhealthy",
      message: `Readiness probe failed: HTTP probe failed with statuscode: 503: ${SECRET}`,
      lastTimestamp: "2026-11-21T12:00:00Z",
    },
  ],
];

describe("facts without messages", () => {
  it.each(OBJECTS)("have no text of %s", (_, object) => {
    const facts = factsOf(object, WITH_TEXTS);
    expect(JSON.stringify(facts)).toContain(SECRET);
    expect(JSON.stringify(facts.map(withoutMessages))).not.toContain(SECRET);
  });

  it.each(OBJECTS.filter(([name]) => name !== "an Event"))(
    "are those of a translation without texts: %s",
    (_, object) => {
      expect(factsOf(object, WITH_TEXTS).map(withoutMessages)).toEqual(factsOf(object));
    },
  );

  it("keep the words of the Job controller, and facts without text as they are", () => {
    const message = "Job has reached the specified backoff limit";
    const job = jobObject({
      status: { conditions: [{ type: "Failed", status: "True", reason: "BackoffLimitExceeded", message }] },
    });
    const facts = factsOf(job, WITH_TEXTS);
    expect(facts.map(withoutMessages).every((fact, index) => fact === facts[index])).toBe(true);
    expect(JSON.stringify(facts)).toContain(message);
  });
});
