import { describe, expect, it } from "vitest";
import { byCreation, MAX_NAMED_PODS, PodSample } from "../../../src/job/evidence/pod-sample.ts";
import { Story } from "../../support/story/story.ts";

const story = new Story();
const pods = Array.from({ length: MAX_NAMED_PODS + 5 }, (_, at) => {
  const name = `p${String(at).padStart(2, "0")}`;
  story.podCreated(name);
  story.after(1);
  return name;
}).map((name) => story.pod(name));

function sampleOf(order: typeof pods, most?: number): PodSample {
  const sample = new PodSample(most);
  for (const pod of order) sample.add(pod);
  return sample;
}

describe("a sample of Pods", () => {
  it.each([
    ["in order", pods],
    ["in reverse order", pods.toReversed()],
  ])("counts all, and keeps the first by creation, whether they arrive %s", (_, order) => {
    const sample = sampleOf(order);
    expect(sample.count).toBe(pods.length);
    expect(sample.pods).toEqual(pods.slice(0, MAX_NAMED_PODS));
  });

  it("names those that it keeps, with details", () => {
    expect(sampleOf(pods, 1).namedWith(() => ({ running: true }))).toEqual({
      pods: [{ uid: "render-p00", name: "render-p00", running: true }],
      podCount: pods.length,
    });
    expect(sampleOf([]).named).toEqual({ pods: [], podCount: 0 });
  });

  it("knows the earliest instant among those that it keeps", () => {
    expect(sampleOf(pods).since(({ created }) => created?.createdAt)).toEqual({ since: pods[0]?.created?.createdAt });
    expect(sampleOf(pods).since(() => undefined)).toEqual({});
  });
});

describe("Pods of one second", () => {
  it("are ordered by uid", () => {
    const same = new Story();
    same.podCreated("b");
    same.podCreated("a");
    expect([same.pod("b"), same.pod("a")].toSorted(byCreation).map(({ uid }) => uid)).toEqual(["render-a", "render-b"]);
  });
});
