import { describe, expect, it } from "vitest";
import type { CountingRules } from "../../../src/job/accounting/counting-rules.ts";
import { recordRules } from "../../../src/explain/derived-job.ts";
import type { PodRecord } from "../../../src/job/model/pod-record.ts";
import { MAX_RECENT, MAX_SUCCESSES } from "../../../src/job/accounting/tally-lists.ts";
import { tallyPods } from "../../../src/job/accounting/tally.ts";
import type { PodChange } from "../../../src/projection/pages/pod-pages.ts";
import { changeTally } from "../../../src/projection/job-state/tally-change.ts";
import { Story } from "../../support/story/story.ts";

/** More Pods that succeeded than the tally lists, their finalizers on. */
function manyEnded(): Story {
  const story = new Story();
  story.jobCreated({ completions: 2 * MAX_RECENT, podReplacementPolicy: "Failed" });
  story.jobTracked();
  for (let pod = 0; pod <= MAX_RECENT; pod += 1) {
    story.podCreated(`p${pod}`);
    story.podTracked(`p${pod}`);
    story.podTerminated(`p${pod}`, "Succeeded", { tracked: true });
  }
  return story;
}

/** The change that `tell` makes, and the tally afterwards. */
function changed(tell: (story: Story) => void): {
  readonly before: readonly PodRecord[];
  readonly after: readonly PodRecord[];
  readonly changes: readonly PodChange[];
  readonly rules: CountingRules;
} {
  const story = manyEnded();
  const before = story.record.pods;
  const rules = recordRules(story.record, {});
  tell(story);
  const after = story.record.pods;
  const changes = [...after].flatMap(([uid, pod]): PodChange[] => {
    const known = before.get(uid);
    if (known !== undefined && JSON.stringify(known) === JSON.stringify(pod)) return [];
    return [{ before: known, after: pod }];
  });
  return { before: [...before.values()], after: [...after.values()], changes, rules };
}

describe("a tally whose lists are full", () => {
  it.each<readonly [string, (story: Story) => void]>([
    ["when a finalizer goes: the Pod is touched last", (s) => s.podUntracked("p300")],
    ["when the finalizer of a Pod goes that was cut off", (s) => s.podUntracked("p0")],
    ["when a Pod is added", (s) => s.podSucceeds("new", 1, { tracked: true })],
    ["when a Pod that was counted is deleted", (s) => (s.podUntracked("p9"), s.podDeleted("p9"))],
  ])("follows its Pods without a new count %s", (_, tell) => {
    const { before, after, changes, rules } = changed(tell);
    expect(changes.length).toBeGreaterThan(0);
    expect(changeTally(tallyPods(before, rules), changes, rules)).toEqual(tallyPods(after, rules));
  });

  it("needs a new count when a list that is exactly full loses a member", () => {
    const story = manyEnded();
    const rules = recordRules(story.record, {});
    const pods = [...story.record.pods.values()];
    const full = { ...tallyPods(pods, rules), successes: tallyPods(pods, rules).successes.slice(0, MAX_SUCCESSES) };
    expect(full.successes).toHaveLength(MAX_SUCCESSES);
    const unlisted = { ...full, recent: [] };
    const running = new Story();
    running.jobCreated();
    running.podCreated("p0");
    running.podTracked("p0");
    const [after] = running.record.pods.values();
    const before = after && story.record.pods.get(after.uid);
    if (after === undefined || before === undefined) throw new Error("Both have Pod p0.");
    expect(changeTally(unlisted, [{ before, after }], rules)).toBeUndefined();
  });

  it("requests a recount when a listed Pod drops out, since one beyond the limit takes its place", () => {
    const { before, after, rules } = changed((story) => story.podUntracked("p300"));
    const back = (uid: string) => before.find((pod) => pod.uid === uid);
    const gone = after.find(({ untracked }) => untracked !== undefined);
    const known = gone === undefined ? undefined : back(gone.uid);
    if (gone === undefined || known === undefined) throw new Error("The finalizer of one Pod went.");
    expect(changeTally(tallyPods(after, rules), [{ before: gone, after: known }], rules)).toBeUndefined();
  });
});
