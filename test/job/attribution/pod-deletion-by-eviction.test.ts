import { describe, expect, it } from "vitest";
import { attributePodDeletion } from "../../../src/job/attribution/pod-deletion.ts";
import { Story } from "../../support/story/story.ts";

function attribution(tell: (story: Story) => void) {
  const story = new Story();
  story.jobCreated();
  story.podCreated("a");
  story.podStarted("a");
  story.after(60);
  tell(story);
  return attributePodDeletion(story.pod("a"), story.record.job, story.clusterContext);
}

function evict(story: Story): void {
  story.podDisrupted("a", "EvictionByEvictionAPI");
  story.podDeletionRequested("a", "Running", { graceSeconds: 30 });
}

const drain = (story: Story): void => {
  story.nodeLifecycle("node-a", [{ type: "DrainInProgress", status: "True", since: story.now }]);
};

describe("the attribution of an eviction", () => {
  it("is its requester, with the request, the condition and the deletion as evidence", () => {
    const found = attribution((story) => {
      story.evictionObserved("a");
      evict(story);
    });
    expect(found).toMatchObject({
      actor: "acme.io/rebalancer",
      cause: { cause: "evictionRequested", requesters: ["acme.io/rebalancer"] },
      confidence: "likely",
    });
    const facts = found?.evidence.map(({ fact }) => fact);
    expect(facts).toEqual(["EvictionObserved", "PodDisrupted", "PodDeletionRequested"]);
  });

  it("keeps the requester as the cause if the audit log names who called the eviction API", () => {
    const found = attribution((story) => {
      story.evictionObserved("a");
      story.requested({ pod: "a" }, "system:serviceaccount:acme:responder", {
        verb: "create",
        subresource: "eviction",
      });
      evict(story);
    });
    expect(found).toMatchObject({ actor: "responder", cause: { cause: "evictionRequested" }, confidence: "certain" });
  });

  it("is the user in the audit log who deleted the Pod, even if another client requested its eviction", () => {
    const found = attribution((story) => {
      story.evictionObserved("a");
      story.requested({ pod: "a" }, "alice");
      story.podDeletionRequested("a", "Running", { graceSeconds: 30 });
    });
    expect(found).toMatchObject({ actor: "alice", cause: { cause: "request", user: "alice" } });
  });

  it("is not the requester if the taint manager marked the Pod", () => {
    const found = attribution((story) => {
      story.evictionObserved("a");
      story.podDisrupted("a", "DeletionByTaintManager");
      story.podDeletionRequested("a", "Running", { graceSeconds: 30 });
    });
    expect(found?.cause).toEqual({ cause: "taint" });
  });

  it("is not the requester if the Pod had ended before, nor the drain of its node", () => {
    const found = attribution((story) => {
      story.evictionObserved("a");
      drain(story);
      story.podTerminated("a", "Succeeded");
      story.after(5);
      story.podDeletionRequested("a", "Succeeded");
    });
    expect(found?.cause).toEqual({ cause: "unknown" });
  });

  it("is the lifecycle condition of the node if no requester is known", () => {
    const found = attribution((story) => {
      drain(story);
      evict(story);
    });
    expect(found).toMatchObject({
      actor: "eviction-api",
      cause: { cause: "nodeLifecycle", type: "DrainInProgress", evicted: true },
      confidence: "likely",
    });
    expect(found?.evidence[0]).toMatchObject({ fact: "NodeObserved", object: { kind: "node", name: "node-a" } });
  });
});
