import { describe, expect, it } from "vitest";
import { byRequest, podDeletionRequest } from "../../../src/job/attribution/pod-deletion-by-request.ts";
import type { Attribution } from "../../../src/job/attribution/attribution.ts";
import type { RequestHinted } from "../../../src/job/model/fact.ts";
import { Story } from "../../support/story/story.ts";

const JOB_CONTROLLER = "system:serviceaccount:kube-system:job-controller";
const POD_GC = "system:serviceaccount:kube-system:pod-garbage-collector";

function requestOf(user: string, more: Partial<RequestHinted> = {}): RequestHinted {
  const story = new Story();
  story.podCreated("a");
  story.after(10);
  story.requested({ pod: "a" }, user, more);
  story.podDeletionRequested("a", "Running", { graceSeconds: 30 });
  const request = podDeletionRequest(story.pod("a"), story.clusterContext);
  if (request === undefined) throw new Error("The audit log has the request.");
  return request;
}

const inferred = (actor: string, cause: Attribution["cause"]): Attribution => ({
  actor,
  cause,
  confidence: "likely",
  evidence: [],
});

describe("a deletion that the audit log names", () => {
  it.each<[string, RequestHinted, Attribution | undefined, boolean, object]>([
    [
      "is of the user",
      requestOf("alice"),
      undefined,
      false,
      { actor: "alice", cause: { cause: "request", object: "Pod", user: "alice", evicted: false } },
    ],
    [
      "has the inferred cause where the actor agrees",
      requestOf(JOB_CONTROLLER),
      inferred("job-controller", { cause: "notNeeded" }),
      false,
      { actor: "job-controller", cause: { cause: "notNeeded" } },
    ],
    [
      "has no inferred cause where the actor is another",
      requestOf("alice"),
      inferred("job-controller", { cause: "notNeeded" }),
      false,
      { actor: "alice", cause: { cause: "request" } },
    ],
    [
      "is an eviction by its caller",
      requestOf("drainer", { subresource: "eviction" }),
      inferred("eviction-api", { cause: "evicted" }),
      false,
      { actor: "drainer", cause: { cause: "evicted" } },
    ],
    [
      "is no eviction by another caller, although one was inferred",
      requestOf("alice"),
      inferred("eviction-api", { cause: "evicted" }),
      false,
      { actor: "alice", cause: { cause: "request", evicted: false } },
    ],
    [
      "is an eviction that was inferred to be something else",
      requestOf("drainer", { subresource: "eviction" }),
      inferred("job-controller", { cause: "notNeeded" }),
      false,
      { actor: "drainer", cause: { cause: "request", user: "drainer", evicted: true } },
    ],
    [
      "is by request where Pod GC deleted a Pod that had not ended",
      requestOf(POD_GC),
      undefined,
      false,
      { actor: "pod-garbage-collector", cause: { cause: "request" } },
    ],
    [
      "is by request where another client deleted an ended Pod",
      requestOf("alice"),
      undefined,
      true,
      { actor: "alice", cause: { cause: "request" } },
    ],
    [
      "is for too many terminated Pods where Pod GC deleted an ended one",
      requestOf(POD_GC),
      undefined,
      true,
      { actor: "pod-garbage-collector", cause: { cause: "tooManyTerminatedPods" } },
    ],
  ])("%s", (_, request, known, hadEnded, attribution) => {
    const observed = { hadEnded, evidence: [], ...(known !== undefined && { inferred: known }) };
    const found = byRequest(request, observed);
    expect(found).toMatchObject({ ...attribution, confidence: "certain" });
    expect(found.evidence.at(-1)?.shows).toMatchObject({ what: "deletedByRequest", user: request.user });
  });
});
