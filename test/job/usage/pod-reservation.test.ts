import { describe, expect, it } from "vitest";
import { type PodReservation, reservationOf } from "../../../src/job/usage/pod-reservation.ts";
import { Story } from "../../support/story/story.ts";

function reservationIn(story: Story, restarts = false): PodReservation | undefined {
  return reservationOf(story.pod("a"), { now: story.now, restarts: () => restarts });
}

/** The instants in seconds of the story. */
function secondsIn(story: Story, restarts = false): readonly number[] {
  const { boundAt = 0, beganAt = 0, doneAt = 0, endedAt = 0 } = reservationIn(story, restarts) ?? {};
  return [boundAt, beganAt, doneAt, endedAt].map((at) => (at - story.second(0)) / 1000);
}

function started(containers: readonly string[] = ["work"]): Story {
  const story = new Story();
  story.podCreated("a", { containers });
  story.after(10);
  story.podStarted("a");
  story.podReserved("a");
  story.after(20);
  return story;
}

describe("what a Pod reserved", () => {
  it("is nothing before it is bound", () => {
    const story = new Story();
    story.podCreated("a");
    expect(reservationIn(story)).toBeUndefined();
  });

  it("begins when the kubelet accepted it, or at its creation, if no condition says when it was bound", () => {
    const story = new Story();
    story.podCreated("a");
    story.after(5);
    story.facts.push({ ...story.podStamp("a"), kind: "PodScheduled", node: "node-a" });
    expect(secondsIn(story)).toEqual([0, 5, 5, 5]);
    story.facts.push({ ...story.podStamp("a"), kind: "PodScheduled", node: "node-a", acceptedAt: story.second(2) });
    expect(secondsIn(story)).toEqual([0, 5, 5, 5]);
    story.facts.push({ ...story.podStamp("a"), kind: "PodScheduled", node: "node-a", scheduledAt: story.second(3) });
    expect(secondsIn(story)).toEqual([3, 5, 5, 5]);
  });

  it("lasts until now while it runs", () => {
    const story = started();
    expect(secondsIn(story)).toEqual([10, 10, 30, 30]);
    expect(reservationIn(story)).toMatchObject({ isOver: false, isExact: true });
  });

  it("is start-up as long as no container has started", () => {
    const story = new Story();
    story.podCreated("a");
    story.podStarted("a");
    const accepted = { ...story.podStamp("a"), kind: "PodStarted", startedAt: story.now, accepted: true } as const;
    story.facts.splice(0, story.facts.length, ...story.facts.filter(({ kind }) => kind !== "PodStarted"), accepted);
    story.after(9);
    expect(secondsIn(story)).toEqual([0, 9, 9, 9]);
  });

  it("ends with the last container, whose time after the work is idle", () => {
    const story = started(["work"]);
    story.containerEnded("a", 0, 20);
    story.after(5);
    story.containerEnded("a", 0, 20, { container: "proxy", init: true });
    story.after(60);
    story.podTerminated("a", "Succeeded");
    expect(secondsIn(story)).toEqual([10, 10, 30, 35]);
    expect(reservationIn(story)).toMatchObject({ isOver: true, isExact: true });
  });

  it("is idle while a sidecar still runs", () => {
    const story = started(["work"]);
    story.inOneEvent(() => {
      story.containerEnded("a", 0, 20);
      story.podObserved("a", { running: ["proxy"] });
    });
    story.after(15);
    expect(secondsIn(story)).toEqual([10, 10, 30, 45]);
    expect(secondsIn(story, true)).toEqual([10, 10, 45, 45]);
  });

  it.each([
    ["a container that still runs", { stillRunning: ["work"] }],
    ["a container that waits for its next run", { waitingAgain: ["work"] }],
  ])("is at most until the event that showed the end of a Pod with %s", (_, more) => {
    const story = started(["work"]);
    story.containerEnded("a", 1, 20);
    story.after(8);
    story.podTerminated("a", "Failed", more);
    expect(secondsIn(story)).toEqual([10, 10, 38, 38]);
    expect(reservationIn(story)?.isExact).toBe(false);
  });

  it("is exact if the end of such a container is observed later", () => {
    const story = started(["work"]);
    story.podTerminated("a", "Failed", { stillRunning: ["work"] });
    story.containerEnded("a", 137, 20);
    expect(secondsIn(story)).toEqual([10, 10, 30, 30]);
    expect(reservationIn(story)?.isExact).toBe(true);
  });

  it("is at most until its deletion if no end was observed, and until the placeholder of a lost container", () => {
    const gone = started();
    gone.podDeleted("a");
    expect(secondsIn(gone)).toEqual([10, 10, 30, 30]);
    expect(reservationIn(gone)).toMatchObject({ isOver: true, isExact: false });
    const lost = started();
    const end = { container: "work", restartCount: 0, exitCode: 137, reason: "ContainerStatusUnknown" };
    lost.facts.push({ ...lost.podStamp("a"), kind: "ContainerEnded", ...end });
    lost.podTerminated("a", "Failed");
    expect(reservationIn(lost)?.isExact).toBe(false);
  });

  it("knows the last of more runs than a record keeps", () => {
    const story = started();
    for (let restartCount = 0; restartCount < 100; restartCount += 1) {
      story.after(1);
      story.containerEnded("a", 1, 1, { restartCount });
    }
    story.podTerminated("a", "Failed");
    expect(secondsIn(story)).toEqual([10, 10, 130, 130]);
  });

  it("has each request from the observation that showed it", () => {
    const story = started();
    story.podReserved("a", { cpu: "2" });
    story.after(5);
    story.podReserved("a");
    expect(reservationIn(story)?.steps.map(({ from, requests }) => [from, requests.get("cpu")])).toEqual([
      [story.second(10), 1_000_000_000n],
      [story.second(30), 2_000_000_000n],
      [story.second(35), 1_000_000_000n],
    ]);
  });

  it("does not depend on the order of facts", () => {
    const story = started();
    story.podReserved("a", { cpu: "2" });
    story.containerEnded("a", 0, 20);
    story.podTerminated("a", "Succeeded");
    const before = reservationIn(story);
    story.facts.reverse();
    expect(reservationIn(story)).toEqual(before);
  });
});
