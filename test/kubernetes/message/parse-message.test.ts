import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { messageDetails } from "../../../src/kubernetes/message/parse-message.ts";
import { isRecordedDetails } from "../../../src/kubernetes/message/kept-message.ts";

const details = (reason: string, message: string) => messageDetails(reason, message, { names: true });

const UID = "0b6f3c1e-9d52-4a55-8a0e-3f1f6f3c2f11";

describe("a message", () => {
  it.each([
    ["SuccessfulCreate", "Created pod: report-x7k2p", { about: "pod", name: "report-x7k2p" }],
    ["SuccessfulDelete", "Deleted pod: report-x7k2p", { about: "pod", name: "report-x7k2p" }],
    ["Preempted", `Preempted by pod ${UID} on node node-a`, { about: "pod", name: UID }],
    ["Preempted", `Preempted by podgroup ${UID} on node node-a`, { about: "preemptor", kind: "PodGroup", uid: UID }],
    [
      "PreemptionByScheduler",
      "default-scheduler: preempting to accommodate a higher priority compositepodgroup",
      { about: "preemptor", kind: "CompositePodGroup" },
    ],
    ["PreemptionByScheduler", "default-scheduler: preempting to accommodate a higher priority pod", undefined],
    ["Started", "Admitted by clusterQueue gold", { about: "queue", queue: "gold" }],
    ["Failed", 'Error: secret "keys" not found', { about: "missing", object: "Secret", name: "keys" }],
    ["Failed", "Failed to pull image: not found", { about: "image", problem: "notFound" }],
    ["Failed", "Error: not found", undefined],
    ["SomethingElse", "password=hunter2", undefined],
    ["Started", undefined, undefined],
  ])("%s: %s", (reason, message, expected) => {
    expect(messageDetails(reason, message, { names: true })).toEqual(expected);
  });
});

const REASONS = [
  "Unschedulable",
  "FailedScheduling",
  "FailedCreate",
  "ErrImagePull",
  "CreateContainerConfigError",
  "StartError",
  "Failed",
  "FailedMount",
  "FailedCreatePodSandBox",
  "UnexpectedAdmissionError",
  "Killing",
  "Unhealthy",
  "FailedPostStartHook",
  "Evicted",
  "OutOfcpu",
  "Preempted",
  "PreemptionByScheduler",
  "NotReadyForScheduling",
  "SuccessfulCreate",
  "Started",
];
const HOSTILE = [
  "password=hunter2",
  "--token=abc",
  "hunter2 SECRET",
  "<script>alert(1)</script>",
  "basic aHVudGVyMg==",
];
const SENTENCES = [
  "0/2 nodes are available: 2 Insufficient X, 1 X.",
  'admission webhook "X" denied the request: X',
  "exceeded quota: X, requested: X=X, used: X=X, limited: X=X",
  'configmap "X" not found',
  'Failed to pull image "X": X not found',
  "Container X failed liveness probe",
  "The node was low on resource: X. X",
  "Created pod: X",
  "Preempted by pod X on node X",
  "Preempted by podgroup X on node X",
  "X: preempting to accommodate a higher priority X",
  "waiting for minCount pods from a gang X",
  "Admitted by clusterQueue X",
  "ValidatingAdmissionPolicy 'X' with binding 'X' denied request: X",
  "maximum X usage per Container is X, but limit is X",
  "X",
];

describe("hostile text", () => {
  it("is in no details, whatever sentence contains it", () => {
    for (const reason of REASONS) {
      for (const sentence of SENTENCES) {
        for (const secret of HOSTILE) {
          const text = JSON.stringify(details(reason, sentence.replaceAll("X", secret)) ?? {});
          expect(text).not.toMatch(/hunter2|token|script|SECRET|aHVudGVyMg/);
        }
      }
    }
  });

  it("never fails the parsers, whose details can be recorded and read", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...REASONS),
        fc.array(fc.oneof(fc.constantFrom(...SENTENCES), fc.string({ unit: "binary", maxLength: 40 })), {
          maxLength: 4,
        }),
        (reason, parts) => {
          const known = details(reason, parts.join(" "));
          return known === undefined || isRecordedDetails(JSON.parse(JSON.stringify(known)));
        },
      ),
    );
  });

  it("takes time by its length: a message of a megabyte is cut before it is parsed", () => {
    const long = `0/2 nodes are available: ${"1 Insufficient cpu, ".repeat(50_000)}`;
    const known = details("FailedScheduling", long);
    expect(known?.about === "scheduling" && known.causes.length).toBeLessThanOrEqual(8);
  });
});
