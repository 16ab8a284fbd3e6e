import { describe, expect, it } from "vitest";
import { requestedEviction } from "../../../src/job/attribution/requested-eviction.ts";
import { Story } from "../../support/story/story.ts";

/** A Pod that is marked for deletion a minute after its creation, and what else happens before and after. */
function evicted(before: (story: Story) => void, after: (story: Story) => void = () => {}) {
  const story = new Story();
  story.podCreated("a");
  story.after(60);
  before(story);
  story.podDeletionRequested("a", "Running");
  after(story);
  return requestedEviction(story.pod("a"), story.clusterContext);
}

const withdrawn = { requesters: [{ name: "acme.io/rebalancer", intent: "Withdrawn" }] };
const confirmed = { conditions: [{ type: "TargetEvicted", status: "True" }] };

describe("the request for an eviction", () => {
  it("names the requester, with the observation that shows it", () => {
    expect(evicted((story) => story.evictionObserved("a"))).toMatchObject({
      requesters: ["acme.io/rebalancer"],
      isConfirmed: false,
      fact: { kind: "EvictionObserved", hintId: "request" },
    });
  });

  it("is confirmed by a condition from after the deletion", () => {
    const request = evicted(
      (story) => story.evictionObserved("a"),
      (story) => story.evictionObserved("a", confirmed),
    );
    expect(request).toMatchObject({ isConfirmed: true });
  });

  it("does not exist without an observation, and without an end of the Pod", () => {
    expect(evicted(() => {})).toBeUndefined();
    const story = new Story();
    story.podCreated("a");
    story.evictionObserved("a");
    expect(requestedEviction(story.pod("a"), story.clusterContext)).toBeUndefined();
  });

  it("is not active if it was withdrawn before, even if the withdrawal is observed first", () => {
    expect(
      evicted((story) => {
        story.evictionObserved("a", withdrawn);
        story.evictionObserved("a", { ...withdrawn, conditions: [{ type: "Failed", status: "False" }] });
      }),
    ).toBeUndefined();
  });

  it("is active again after its withdrawal was undone", () => {
    const request = evicted((story) => {
      story.evictionObserved("a", withdrawn);
      story.evictionObserved("a");
    });
    expect(request?.requesters).toEqual(["acme.io/rebalancer"]);
  });

  it("of a requester that withdrew one of two requests is active", () => {
    const request = evicted((story) => {
      story.evictionObserved("a", { hintId: "other", ...withdrawn });
      story.evictionObserved("a");
    });
    expect(request?.requesters).toEqual(["acme.io/rebalancer"]);
  });
});
