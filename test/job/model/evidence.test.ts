import { describe, expect, it } from "vitest";
import { clusterEvidence, jobEvidence, podEvidence, podName, podRef } from "../../../src/job/model/evidence.ts";
import { Story } from "../../support/story/story.ts";

const shows = { what: "shown" } as const;

function created(): Story {
  const story = new Story();
  story.jobCreated();
  story.podCreated("a");
  return story;
}

describe("evidence", () => {
  it("about a Pod names the fact, its order and the Pod", () => {
    const pod = created().pod("a");
    if (pod.created === undefined) throw new Error("The Pod was created.");
    const { resourceVersion } = pod.created;
    const object = { kind: "pod", name: "render-a" };
    const evidence = { fact: "PodCreated", at: new Story().now, resourceVersion, object, shows };
    expect(podEvidence(pod, pod.created, { shows })).toEqual(evidence);
    expect(podEvidence(pod, pod.created, { shows, at: 7 })).toEqual({ ...evidence, at: 7 });
  });

  it("about a Job names the Job, or its uid if its creation was not observed", () => {
    const { job } = created().record;
    const { created: fact, ...unseen } = job;
    if (fact === undefined) throw new Error("The Job was created.");
    expect(jobEvidence(job, fact, shows)).toMatchObject({
      fact: "JobCreated",
      object: { kind: "job", name: "render" },
    });
    expect(jobEvidence(unseen, fact, shows).object).toEqual({ kind: "job", name: job.uid });
  });

  it("about a Node names the object that it is given", () => {
    const story = created();
    story.node("node-a", "False");
    const [fact] = story.clusterContext.nodes.get("node-a")?.stands ?? [];
    const object = { kind: "node", name: "node-a" } as const;
    expect(fact && clusterEvidence(fact, object, shows)).toMatchObject({ fact: "NodeObserved", object, shows });
  });
});

describe("a Pod", () => {
  it("is named by its uid if its creation was not observed", () => {
    const story = new Story();
    story.podTracked("a");
    expect(podName(story.pod("a"))).toBe(story.pod("a").uid);
    expect(podRef(story.pod("a"))).toEqual({ uid: story.pod("a").uid, name: story.pod("a").uid });
  });

  it("is referred to with its node, once it has one", () => {
    const story = created();
    story.podStarted("a", "node-b");
    expect(podRef(story.pod("a"))).toEqual({ uid: story.pod("a").uid, name: "render-a", node: "node-b" });
  });
});
