import { describe, expect, it } from "vitest";
import { responsibilityOfDeleter, responsibilityOfDeletion } from "../../../src/job/cause/deletion-responsibility.ts";
import type { Attribution } from "../../../src/job/attribution/attribution.ts";
import { Story } from "../../support/story/story.ts";

const CONTROLLER = "system:serviceaccount:kube-system";
const PERSON = "person, unknown";
const PLATFORM = "platform, same";
const UNKNOWN = "unknown, unknown";

function ofPod(tell: (story: Story) => void): string {
  const story = new Story();
  story.jobCreated();
  story.podCreated("a");
  story.podStarted("a");
  story.after(10);
  tell(story);
  const { record, clusterContext } = story;
  const found = responsibilityOfDeletion(story.pod("a"), { job: record.job, clusterContext });
  return `${found.responsible}, ${found.retry}`;
}

const deletedBy = (user: string, more = {}) =>
  ofPod((story) => {
    story.requested({ pod: "a" }, user, more);
    story.podDeletionRequested("a", "Running", { graceSeconds: 30 });
  });

const withJob = (user?: string) =>
  ofPod((story) => {
    if (user !== undefined) story.requested("Job", user);
    story.jobDeletionRequested();
    story.requested({ pod: "a" }, `${CONTROLLER}:generic-garbage-collector`);
    story.podDeletionRequested("a", "Running", { graceSeconds: 30 });
  });

describe("the deletion of a Pod", () => {
  it.each<[string, string, string]>([
    ["by a person", deletedBy("alice"), PERSON],
    ["by the administrator of the cluster", deletedBy("system:admin"), PERSON],
    ["by Pod GC", deletedBy(`${CONTROLLER}:pod-garbage-collector`), PLATFORM],
    ["by an autoscaler", deletedBy("system:serviceaccount:karpenter:karpenter"), PLATFORM],
    ["by the scheduler", deletedBy("system:kube-scheduler"), PLATFORM],
    ["by a program in the cluster", deletedBy("system:serviceaccount:ci:runner"), UNKNOWN],
    ["by an eviction, also if a person drains the node", deletedBy("alice", { subresource: "eviction" }), PLATFORM],
    ["with its Job, which a person deleted", withJob("alice"), PERSON],
    ["with its Job, which a program deleted", withJob("system:serviceaccount:ci:runner"), UNKNOWN],
    ["with its Job, of which nothing shows who deleted it", withJob(), UNKNOWN],
    ["that nothing shows", ofPod((story) => story.podDeletionRequested("a", "Running")), UNKNOWN],
    ["that was not observed", ofPod(() => undefined), UNKNOWN],
    [
      "because its node is not ready",
      ofPod((story) => {
        story.node("node-a", "Unknown");
        story.podDeletionRequested("a", "Running", { graceSeconds: 30 });
      }),
      PLATFORM,
    ],
  ])("%s", (_, found, expected) => {
    expect(found).toBe(expected);
  });
});

describe("the responsibility of a deletion by its cause", () => {
  it.each<[Attribution["cause"], string]>([
    [{ cause: "replacedByCronJob", cronJob: "nightly" }, "configuration, pointless"],
    [{ cause: "jobSuspended" }, PERSON],
    [{ cause: "suspendedOrScaledDown" }, PERSON],
    [{ cause: "tooManyTerminatedPods" }, PLATFORM],
    [{ cause: "ttlExpired", ttlSeconds: 1, afterMillis: 1 }, UNKNOWN],
  ])("%j", (cause, expected) => {
    const { responsible, retry } = responsibilityOfDeleter({ cause });
    expect(`${responsible}, ${retry}`).toBe(expected);
  });
});
