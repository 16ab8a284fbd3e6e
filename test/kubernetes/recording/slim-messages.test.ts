import { describe, expect, it } from "vitest";
import { slimMessages } from "../../../src/kubernetes/recording/slim-messages.ts";
import { slimObject } from "../../../src/kubernetes/recording/slim-object.ts";
import { DEFAULT_OPTIONS, type TextOptions } from "../../../src/kubernetes/translate/translated.ts";
import { jobObject, podObject } from "../../support/kubernetes/watch-objects.ts";

const IMAGE = { reason: "ErrImagePull", message: 'pull "r/x": not found' };
const IMAGE_DETAILS = { reason: "ErrImagePull", details: { about: "image", problem: "notFound" } };
const slim = (kind: string, body: Readonly<Record<string, unknown>>, texts: Partial<TextOptions> = {}) =>
  slimMessages(kind, body, { ...DEFAULT_OPTIONS, ...texts });

describe("the messages of a slim object", () => {
  it.each([
    ["an Event", "Event", IMAGE, IMAGE_DETAILS],
    ["a Pod", "Pod", { status: IMAGE }, { status: IMAGE_DETAILS }],
    ["a condition of a Pod", "Pod", { status: { conditions: [IMAGE] } }, { status: { conditions: [IMAGE_DETAILS] } }],
    [
      "a container that waits",
      "Pod",
      { status: { containerStatuses: [{ name: "a", state: { waiting: IMAGE } }] } },
      { status: { containerStatuses: [{ name: "a", state: { waiting: IMAGE_DETAILS } }] } },
    ],
    [
      "an init container that ended",
      "Pod",
      { status: { initContainerStatuses: [{ lastState: { terminated: IMAGE } }] } },
      { status: { initContainerStatuses: [{ lastState: { terminated: IMAGE_DETAILS } }] } },
    ],
    [
      "a condition of a Job that another program wrote",
      "Job",
      { status: { conditions: [{ type: "Failed", reason: "A", message: "password=hunter2" }] } },
      { status: { conditions: [{ type: "Failed", reason: "A" }] } },
    ],
    ["another kind", "Node", { status: IMAGE }, { status: IMAGE }],
    ["an object without a status", "Pod", { spec: {} }, { spec: {} }],
  ])("of %s are replaced by details", (_, kind, body, expected) => {
    expect(slim(kind, body)).toEqual(expected);
  });

  it("are those of the Job controller, where a condition of a Job has one", () => {
    const condition = { type: "Failed", message: "Job has reached the specified backoff limit" };
    expect(slim("Job", { status: { conditions: [condition] } })).toEqual({ status: { conditions: [condition] } });
  });

  it.each([
    [{ messages: true }, true, false],
    [{ containerMessages: true }, false, true],
  ])("are kept with the option %j", (texts, waiting, terminated) => {
    const state = { waiting: IMAGE, terminated: { message: "output" } };
    const shown = JSON.stringify(slim("Pod", { status: { containerStatuses: [{ state }] } }, texts));
    expect([shown.includes("not found"), shown.includes("output")]).toEqual([waiting, terminated]);
  });
});

describe("the reasons of a slim object", () => {
  it("are no text, in a Pod, its conditions and its containers, and in a Job", () => {
    const reason = "the secret is hunter2";
    const condition = { type: "Failed", status: "True", reason };
    const waiting = [
      { name: "work", state: { waiting: { reason } }, lastState: { terminated: { exitCode: 1, reason } } },
    ];
    const pod = podObject({ status: { reason, conditions: [condition], containerStatuses: waiting } });
    for (const [kind, object] of [
      ["Pod", pod],
      ["Job", jobObject({ status: { conditions: [condition] } })],
    ] as const) {
      const text = JSON.stringify(slimObject(kind, object));
      expect(text).not.toContain("secret");
      expect(text).toContain(`"reason":"InvalidReason"`);
    }
  });
});
