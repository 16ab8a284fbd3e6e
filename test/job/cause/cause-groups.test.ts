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

  it("are bounded", () => {
    const groups = new CauseGroups();
    for (let code = 0; code < MAX_CAUSES; code += 1) groups.add({ ...first, why: exited(code) });
    expect(groups.add({ ...first, why: exited(MAX_CAUSES) })).toBeUndefined();
    expect(groups.add({ ...first, why: exited(3) })).toBeDefined();
  });
});

describe("causes", () => {
  const image = { cause: "imageNotPulled", container: "work", role: "main", reason: "ErrImagePull", since: 1 } as const;
  it.each<[string, PodCause, PodCause, boolean]>([
    ["on two nodes", { cause: "preempted", node: "node-a" }, { cause: "preempted", node: "node-b" }, true],
    ["of a pull that failed and one that is tried again", image, { ...image, reason: "ImagePullBackOff" }, true],
    ["of two exit codes", exited(1), exited(2), false],
    ["of two containers", exited(1), { cause: "exited", container: "helper", role: "main", exitCode: 1 }, false],
  ])("%s are the same: %o, %o: %s", (_, a, b, isSame) => {
    expect(isSameCause(a, b)).toBe(isSame);
  });
});
