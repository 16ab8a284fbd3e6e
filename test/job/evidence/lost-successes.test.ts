import { describe, expect, it } from "vitest";
import { lossOf, type LostSuccess, LostSuccesses } from "../../../src/job/evidence/lost-successes.ts";
import { MAX_NAMED_PODS } from "../../../src/job/evidence/pod-sample.ts";
import { Story } from "../../support/story/story.ts";

const UNKNOWN = { actor: "unknown", confidence: "possible" } as const;
const ALICE = { actor: "alice", confidence: "certain" } as const;
const POD_GC = { actor: "pod-garbage-collector", confidence: "likely" } as const;

/** Pods that succeeded one after the other, each deleted this many seconds after its end. */
function deletions(delays: readonly number[], by: NonNullable<LostSuccess["by"]> = UNKNOWN): readonly LostSuccess[] {
  const story = new Story();
  return delays.map((delay, at) => {
    const pod = `p${at}`;
    story.podSucceeds(pod, 10);
    story.after(delay);
    story.podDeletionRequested(pod, "Succeeded");
    const record = story.pod(pod);
    const fact = lossOf(record);
    if (fact === undefined) throw new Error("The success was lost.");
    return { pod: record, fact, by };
  });
}

function beforeLast(losses: readonly LostSuccess[], added = losses) {
  const all = new LostSuccesses();
  for (const lost of added) all.add(lost);
  const last = losses.at(-1);
  if (last === undefined) throw new Error("There are losses.");
  return all.before(last.fact);
}

describe("lost successes", () => {
  it("are of Pod GC where three sweeps over one Job's own Pods show it", () => {
    expect(beforeLast(deletions([15, 18, 12])).by).toEqual([POD_GC, POD_GC, POD_GC]);
  });

  it.each<[string, readonly LostSuccess[]]>([
    ["of a known user, who stays the deleter", deletions([15, 18, 12], ALICE)],
    ["of two sweeps", deletions([15, 18])],
    ["deleted at once, each time", deletions([1, 1, 1])],
  ])("keep their deleters: %s", (_, losses) => {
    expect(beforeLast(losses).by).toEqual(losses.map(({ by }) => by));
  });

  it("are counted all, and the first are named, in whatever order they arrive", () => {
    const losses = deletions(
      Array.from({ length: MAX_NAMED_PODS + 3 }, () => 1),
      ALICE,
    );
    const { by, first } = beforeLast(losses, losses.toReversed());
    expect(by).toHaveLength(losses.length);
    expect(first.map(({ pod }) => pod.uid)).toEqual(losses.slice(0, MAX_NAMED_PODS).map(({ pod }) => pod.uid));
  });

  it("are only those before the given one", () => {
    const losses = deletions([5, 5, 5], ALICE);
    expect(beforeLast(losses.slice(0, 2), losses).by).toHaveLength(2);
  });
});

describe("a success", () => {
  it.each<[string, (story: Story) => void, string | undefined]>([
    ["is lost by a deletion", (s) => s.podDeletionRequested("a", "Succeeded"), "PodDeletionRequested"],
    ["is lost by a removal", (s) => s.podDeleted("a"), "PodDeleted"],
    ["is lost by a failure that is reported later", (s) => s.podTerminated("a", "Failed"), "PodTerminated"],
    ["is not lost while its Pod exists", () => undefined, undefined],
  ])("%s", (_, tell, kind) => {
    const story = new Story();
    story.podSucceeds("a", 10);
    tell(story);
    expect(lossOf(story.pod("a"))?.kind).toBe(kind);
  });

  it("is none where the program only answered the deletion of its Pod", () => {
    const story = new Story();
    story.podCreated("a");
    story.podStarted("a");
    story.podDeletionRequested("a", "Running", { graceSeconds: 30 });
    story.containerEnded("a", 0, 1);
    story.podTerminated("a", "Succeeded");
    expect(lossOf(story.pod("a"))).toBeUndefined();
  });
});
