import { describe, expect, it } from "vitest";
import { CauseGroups, isSameCause, type Occurrence } from "../../../src/job/cause/cause-groups.ts";
import { MAX_CAUSES } from "../../../src/job/cause/cause.ts";
import type { PodCause } from "../../../src/job/cause/pod-cause.ts";
import type { PodRecord } from "../../../src/job/model/pod-record.ts";
import { Story } from "../../support/story/story.ts";

const exited = (exitCode: number): PodCause => ({ cause: "exited", container: "work", role: "main", exitCode });

function pod(name: string): PodRecord {
  const story = new Story();
  story.podCreated(name);
  return story.pod(name);
}

const first: Occurrence = { pod: pod("a"), why: exited(1), at: 1_000 };
const second: Occurrence = { pod: pod("b"), why: exited(2), at: 2_000 };
const again: Occurrence = { pod: pod("c"), why: exited(1), at: 3_000 };

function groupsOf(...occurrences: readonly Occurrence[]): CauseGroups {
  const groups = new CauseGroups();
  for (const occurrence of occurrences) groups.add(occurrence);
  return groups;
}

describe("the groups of causes", () => {
  it.each([
    ["in order", [first, second, again]],
    ["in reverse order", [again, second, first]],
  ])("are in the order of their first occurrences, whether these arrive %s", (_, occurrences) => {
    const groups = groupsOf(...occurrences).inOrder();
    expect(groups.map(({ first: { why } }) => why)).toEqual([exited(1), exited(2)]);
    expect(groups.map(({ first: { at } }) => at)).toEqual([1_000, 2_000]);
    expect(groups.map(({ pods }) => pods.count)).toEqual([2, 1]);
  });

  it("have a share without attempts until these are counted", () => {
    const [group] = groupsOf(first).inOrder();
    expect(group?.share).toEqual({ why: exited(1), attempts: 0, restarts: 0, counted: 0, ignored: 0, ignoredBy: [] });
  });

  it("begin with the Pod that was created first, where two failed at the same time", () => {
    const story = new Story();
    story.podCreated("z");
    story.after(1);
    story.podCreated("a");
    const at = story.second(9);
    const [older, younger] = [story.pod("z"), story.pod("a")].map((one) => ({ pod: one, at }));
    if (older === undefined || younger === undefined) throw new Error("The story has two Pods.");
    const groups = groupsOf({ ...younger, why: exited(1) }, { ...older, why: exited(2) }, { ...older, why: exited(1) });
    const order = groups.inOrder().map(({ first: { pod: one }, share }) => [one.uid, share.why]);
    expect(order).toEqual([
      ["render-z", exited(1)],
      ["render-z", exited(2)],
    ]);
  });

  it("have the kills beside and the ignoring rules in their share, the rules in the order of the policy", () => {
    const [group] = groupsOf(first).inOrder();
    if (group === undefined) throw new Error("There is one group.");
    for (const rule of [10, 2, 10]) group.ignoredBy.add(rule);
    group.beside = 1;
    expect(group.share).toMatchObject({ beside: 1, ignoredBy: [2, 10] });
  });

  it("are the same for each occurrence of one cause", () => {
    const groups = new CauseGroups();
    expect(groups.add(first)).toBe(groups.add(again));
    expect(groups.add(first)).not.toBe(groups.add(second));
  });

  it("are bounded", () => {
    const groups = new CauseGroups();
    for (let code = 0; code < MAX_CAUSES; code += 1) groups.add({ ...first, why: exited(code) });
    expect(groups.add({ ...first, why: exited(MAX_CAUSES) })).toBeUndefined();
    expect(groups.add({ ...first, why: exited(3) })).toBeDefined();
  });
});

const deletedBy = (actor: string) => ({ cause: "deleted", actor, confidence: "certain" }) as const;

describe("causes", () => {
  const image = { cause: "imageNotPulled", container: "work", role: "main", reason: "ErrImagePull", since: 1 } as const;
  const waited = { cause: "containerNotStarted", container: "work", role: "main", reason: "StartError" } as const;
  it.each<[string, PodCause, PodCause, boolean]>([
    ["on two nodes", { cause: "preempted", node: "node-a" }, { cause: "preempted", node: "node-b" }, true],
    ["of a pull that failed and one that is tried again", image, { ...image, reason: "ImagePullBackOff" }, true],
    ["of two pulls that were refused for another problem", image, { ...image, problem: "unauthorized" }, false],
    ["of two times", { ...waited, since: 1 }, { ...waited, since: 2 }, true],
    ["of two reasons of a container", waited, { ...waited, reason: "CreateContainerConfigError" }, false],
    ["of two actors", deletedBy("alice"), deletedBy("bob"), false],
    ["of two kinds", { cause: "preempted" }, { cause: "nodeLost" }, false],
    ["of two exit codes", exited(1), exited(2), false],
    ["of two containers", exited(1), { cause: "exited", container: "helper", role: "main", exitCode: 1 }, false],
  ])("%s are the same: %o, %o: %s", (_, a, b, isSame) => {
    expect(isSameCause(a, b)).toBe(isSame);
  });
});
