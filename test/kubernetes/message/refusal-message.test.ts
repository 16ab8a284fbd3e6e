import { describe, expect, it } from "vitest";
import { messageDetails } from "../../../src/kubernetes/message/parse-message.ts";

const details = (reason: string, message: string) => messageDetails(reason, message, { names: false });

describe("a refusal of the API server", () => {
  it.each([
    [
      'Error creating: pods "a-x" is forbidden: exceeded quota: team, requested: ' +
        "limits.cpu=2,pods=1, used: limits.cpu=1500m,pods=0, limited: limits.cpu=2,pods=10",
      {
        by: "quota",
        resources: [
          { resource: "limits.cpu", requested: "2", used: "1500m", limit: "2" },
          { resource: "pods", requested: "1", used: "0", limit: "10" },
        ],
      },
    ],
    ['Error creating: pods "a-x" is forbidden: failed quota: team: must specify cpu for: work', { by: "quota" }],
    [
      'Error creating: admission webhook "policy.example.com" denied the request: password=hunter2 is not allowed',
      { by: "webhook", name: "policy.example.com" },
    ],
    [
      "Error creating: Internal error occurred: failed calling webhook " +
        '"policy.example.com": failed to call webhook: Post "https://p?token=abc": EOF',
      { by: "webhook", name: "policy.example.com", unreachable: true },
    ],
    [
      'Error creating: pods "a-x" is forbidden: ValidatingAdmissionPolicy ' +
        "'no-latest' with binding 'b' denied request: failed expression",
      { by: "policy", name: "no-latest" },
    ],
    [
      'Error creating: pods "a-x" is forbidden: violates PodSecurity "restricted:latest": ' +
        'allowPrivilegeEscalation != false (container "work" must set ...)',
      { by: "podSecurity", name: "restricted" },
    ],
    [
      'Error creating: pods "a-x" is forbidden: [maximum cpu usage per Container is 1, ' +
        "but limit is 2, maximum memory usage per Container is 1Gi, but limit is 4Gi]",
      {
        by: "limitRange",
        resources: [
          { resource: "cpu", requested: "2", limit: "1" },
          { resource: "memory", requested: "4Gi", limit: "1Gi" },
        ],
      },
    ],
    [
      'Error creating: pods "a-" is forbidden: error looking up ' +
        'service account shop/hunter2: serviceaccount "hunter2" not found',
      { by: "serviceAccount" },
    ],
    ['Error creating: pods "a-" is forbidden: no PriorityClass with name hunter2 was found', { by: "priorityClass" }],
    ['Error creating: Pod "a-x" is invalid: spec.containers[0].image: Required value', { by: "invalid" }],
    [
      'Error creating: pods "a-" is forbidden: unable to create ' +
        "new content in namespace shop because it is being terminated",
      { by: "namespaceTerminating" },
    ],
    [
      'pods "a" is forbidden: cpu max limit to request ratio per Container is 1, but provided ratio is 10',
      { by: "limitRange" },
    ],
    ['namespaces "shop" not found', { by: "namespaceTerminating" }],
    ["Timeout: request did not complete", { by: "unavailable" }],
  ])("%s", (message, expected) => {
    expect(details("FailedCreate", message)).toEqual({ about: "refusal", ...expected });
  });
});
