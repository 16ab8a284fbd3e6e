import { describe, expect, it } from "vitest";
import { problemText, refusalText, schedulingText } from "../../../src/explain/cause/details-text.ts";
import type { MessageDetails, RefusalDetails, SchedulingDetails } from "../../../src/job/model/message-details.ts";

describe("what the scheduler says", () => {
  it.each<[Omit<SchedulingDetails, "about">, string]>([
    [{ nodes: 1, causes: [{ cause: "insufficient", resource: "cpu", nodes: 1 }] }, "Insufficient cpu on 1 of 1 node"],
    [{ causes: [{ cause: "insufficient", resource: "memory", nodes: 3 }] }, "Insufficient memory on 3"],
    [{ nodes: 4, causes: [{ cause: "insufficient", nodes: 4 }] }, "Insufficient resources on 4 of 4 nodes"],
    [{ nodes: 2, causes: [{ cause: "volumeUnbound" }] }, "PersistentVolumeClaim is not bound"],
    [
      {
        nodes: 14,
        causes: [
          { cause: "cordoned", nodes: 7 },
          { cause: "taint", nodes: 5 },
          { cause: "hostPort", nodes: 2 },
        ],
      },
      "cordoned on 7 of 14 nodes, untolerated taint on 5, 1 more",
    ],
    [{ nodes: 3, causes: [] }, "3 nodes"],
    [{ causes: [] }, ""],
  ])("%o is: %s", (details, text) => {
    expect(schedulingText({ about: "scheduling", ...details })).toBe(text);
  });
});

describe("what a container or volume lacks", () => {
  it.each<[Extract<MessageDetails, { about: "missing" | "start" | "volume" }> | undefined, string]>([
    [undefined, ""],
    [{ about: "missing", object: "ConfigMap key" }, "ConfigMap key is missing"],
    [{ about: "missing", object: "ConfigMap", name: "settings" }, "ConfigMap settings is missing"],
    [{ about: "start", problem: "permissionDenied" }, "permission denied"],
    [{ about: "volume", problem: "inUse" }, "in use elsewhere"],
  ])("%o is: %s", (details, text) => {
    expect(problemText(details)).toBe(text);
  });
});

describe("why the API server refuses a Pod", () => {
  const cpu = { resource: "limits.cpu", requested: "2", used: "1", limit: "2" };
  it.each<[Omit<RefusalDetails, "about">, string]>([
    [{ by: "quota", resources: [cpu] }, "quota exceeded (limits.cpu: requested 2, used 1, limit 2)"],
    [
      { by: "quota", resources: [{ resource: "pods", limit: "5" }, cpu, cpu] },
      "quota exceeded (pods: limit 5 and limits.cpu: requested 2, used 1, limit 2)",
    ],
    [{ by: "limitRange" }, "LimitRange violated"],
    [{ by: "podSecurity", name: "restricted" }, "Pod Security level restricted does not allow it"],
    [{ by: "webhook", name: "policy.example.com" }, "admission webhook policy.example.com denied it"],
    [{ by: "webhook", unreachable: true }, "admission webhook cannot be reached"],
    [{ by: "policy", name: "limits" }, "admission policy limits denied it"],
    [{ by: "serviceAccount" }, "ServiceAccount is missing"],
    [{ by: "unavailable" }, "API server or admission unavailable"],
  ])("%o is: %s", (details, text) => {
    expect(refusalText({ about: "refusal", ...details })).toBe(text);
  });
});
