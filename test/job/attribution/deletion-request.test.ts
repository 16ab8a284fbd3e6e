import { describe, expect, it } from "vitest";
import { actorOf, firstDeletionRequest } from "../../../src/job/attribution/deletion-request.ts";
import type { RequestHinted } from "../../../src/job/model/fact.ts";
import { Story } from "../../support/story/story.ts";

const target = { kind: "Pod", namespace: "default", name: "render-a" } as const;

function firstOf(tell: (story: Story) => void): RequestHinted | undefined {
  const story = new Story();
  story.after(60);
  tell(story);
  const deleted = { target, uid: "render-a", from: story.second(50), to: story.second(70) };
  return firstDeletionRequest(deleted, story.clusterContext);
}

const asks =
  (user: string, more: Partial<RequestHinted> = {}) =>
  (story: Story) =>
    story.requested({ pod: "a" }, user, more);
const withUid = (uid: string) => ({ target: { ...target, uid } });
const at = (second: number) => ({ requestedAt: new Story().second(second) });

describe("the request that deleted an object", () => {
  it.each<[string, (story: Story) => void, string | undefined]>([
    ["is of a user", asks("alice"), "alice"],
    ["is the first one", (s) => (asks("bob", at(65))(s), asks("alice", at(60))(s)), "alice"],
    ["is not the kubelet's own", asks("system:node:node-a"), undefined],
    ["is not one that failed", asks("alice", { code: 404 }), undefined],
    ["is about this uid", asks("alice", withUid("render-a")), "alice"],
    ["is not about another uid", asks("alice", withUid("other")), undefined],
    ["is not before the object was created", asks("alice", at(48)), undefined],
    ["is not long after the deletion", asks("alice", at(76)), undefined],
  ])("%s", (_, tell, user) => {
    expect(firstOf(tell)?.user).toBe(user);
  });
});

describe("the actor", () => {
  it.each([
    ["alice", "alice"],
    ["system:serviceaccount:kube-system:job-controller", "job-controller"],
    ["system:", "system"],
    ["", "unknown"],
  ])("of user %j is %s", (user, actor) => {
    expect(actorOf(user)).toBe(actor);
  });
});
