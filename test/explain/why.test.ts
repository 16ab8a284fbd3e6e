import { MAX_HEADLINE_WORDS } from "../../src/explain/headline/line-of.ts";
import { describe, expect, it } from "vitest";
import { paintFor } from "../../cli/output/paint.ts";
import { recordedFacts } from "../../src/host/embedded/recorded-facts.ts";
import { formatWhy } from "../../cli/output/why-text.ts";
import type { JobAnswer, Why } from "../../src/explain/answer-document.ts";
import { formatInstant } from "../../src/job/model/instant.ts";
import { answerAndWhy } from "../../src/explain/why-record.ts";
import { MAX_CHAIN } from "../../src/explain/why-pods.ts";
import { foldFacts } from "../../src/query/job/fold-facts.ts";
import { sharedRecording, skipWithoutShared } from "../support/recordings/real-recordings.ts";
import { Story } from "../support/story/story.ts";
import { answerOf } from "../support/story/answer-of-story.ts";

function whyOf(story: Story): Why {
  const { clusterContext, now } = story;
  return answerAndWhy(story.record, { cluster: "small", clusterContext, now }).why;
}

/** As `outlive why` prints it, without colour. */
function printed(answer: JobAnswer, why: Why): string {
  return formatWhy({ ...answer, ...why }, paintFor("never", process.stdout));
}

function printedOf(story: Story): string {
  return printed(answerOf(story), whyOf(story));
}

/** 1. Pod GC ate the success 49 times; the Pod is always a few seconds old, and Kubernetes still waits. */
function podGcAteSuccess(): Story {
  const story = new Story();
  story.jobCreated();
  story.jobReported({});
  story.jobUntracked();
  story.jobReported({ active: 1, startTime: story.now });
  for (let run = 0; run < 50; run += 1) {
    const pod = String(run).padStart(2, "0");
    story.podSucceeds(pod, 90);
    story.after(60);
    story.requested({ pod }, "system:serviceaccount:kube-system:pod-garbage-collector");
    story.podDeletionRequested(pod, "Succeeded");
    story.podDeleted(pod);
    story.after(30);
  }
  // The 50th success was deleted too, and nothing was made after it yet.
  return story;
}

/** 2. 98 of 100: one Pod's containers are gone, another one's node is silent. */
function twoRunningForEver(): Story {
  const story = new Story("encode");
  for (const node of ["node-a", "node-b"]) story.node(node, "True", "KubeletReady");
  story.jobCreated({ completions: 100, parallelism: 40 });
  story.jobReported({});
  story.jobTracked();
  for (let pod = 0; pod < 98; pod += 1) {
    const name = String(pod).padStart(3, "0");
    story.podSucceeds(name, 1, { tracked: true });
    story.podUntracked(name);
  }
  for (const [pod, node] of [
    ["098", "node-a"],
    ["099", "node-b"],
  ] as const) {
    story.podCreated(pod);
    story.podTracked(pod);
    story.podStarted(pod, node);
  }
  story.after(20);
  story.containerEnded("098", 0, 20);
  story.podObserved("098", { ready: false, running: [] });
  story.after(10);
  story.node("node-b", "Unknown");
  story.jobReported({ active: 2, succeeded: 98, startTime: story.second(0) });
  story.after(600);
  return story;
}

/** 3. backoffLimit was not reached, and yet the Job was ended; one failed Pod is gone. */
function whichLimit(): Story {
  const story = new Story("report");
  story.jobCreated({ backoffLimit: 6, activeDeadlineSeconds: 60 });
  story.jobReported({});
  story.jobTracked();
  story.jobReported({ active: 1, startTime: story.now });
  story.podFails("a", 3, 20, { tracked: true });
  story.podUntracked("a");
  story.podDeletionRequested("a", "Failed");
  story.podDeleted("a");
  story.after(20);
  story.podFails("b", 1, 15, { tracked: true });
  story.after(5);
  story.jobFinished("Failed", "DeadlineExceeded", { startTime: story.second(0), failed: 2 });
  return story;
}

/** 4. The kubelet restarted: two containers with it, and one success was called a failure. */
function kubeletRestarted(): Story {
  const story = new Story("ingest");
  story.node("node-a", "True", "KubeletReady");
  story.jobCreated({ completions: 3, parallelism: 3, restartPolicy: "OnFailure" });
  story.jobReported({});
  story.jobTracked();
  story.podsRunning("a", "b");
  story.podSucceeds("c", 30, { tracked: true });
  story.node("node-a", "False", "KubeletNotReady");
  story.after(5);
  story.podUntracked("c");
  story.podTerminated("c", "Failed");
  for (const pod of ["a", "b"]) story.containerEnded(pod, 137, 35);
  for (const pod of ["a", "b"]) story.podObserved(pod, { restarts: 1 });
  story.node("node-a", "True", "KubeletReady");
  story.after(60);
  for (const pod of ["a", "b"]) {
    story.containerEnded(pod, 0, 60, { restartCount: 1 });
    story.podTerminated(pod, "Succeeded", { tracked: true });
  }
  story.jobFinished("Complete", "CompletionsReached", { succeeded: 3 });
  return story;
}

/** 5. The TTL took Job and Pods away; the answer stays. */
function takenByTtl(): Story {
  const story = new Story("nightly");
  story.jobCreated({ ttlSecondsAfterFinished: 100 });
  story.jobReported({});
  story.jobTracked();
  story.podSucceeds("a", 5, { tracked: true });
  story.podUntracked("a");
  story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
  story.after(100);
  story.jobDeletionRequested();
  story.podDeletionRequested("a", "Succeeded");
  story.podDeleted("a");
  story.jobDeleted();
  return story;
}

function healthy(): Story {
  const story = new Story();
  story.jobCreated();
  story.jobReported({});
  story.jobTracked();
  story.podSucceeds("a", 3, { tracked: true });
  story.podUntracked("a");
  story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
  return story;
}

describe("why, for each incident", () => {
  it.each<[string, Story]>([
    ["the success that Pod GC ate", podGcAteSuccess()],
    ["two Pods Running for ever", twoRunningForEver()],
    ["a limit that was not the one expected", whichLimit()],
    ["a kubelet that restarted", kubeletRestarted()],
    ["a Job that the TTL took away", takenByTtl()],
  ])("explains %s", (_, story) => expect(printedOf(story)).toMatchSnapshot());

  it.each<[string, Story]>([
    ["the success that Pod GC ate", podGcAteSuccess()],
    ["two Pods Running for ever", twoRunningForEver()],
    ["a limit that was not the one expected", whichLimit()],
    ["a kubelet that restarted", kubeletRestarted()],
    ["a Job that the TTL took away", takenByTtl()],
  ])("prints the answer of %s in the first line, and each fact with time and resourceVersion", (_, story) => {
    const [first, ...lines] = printedOf(story).split("\n");
    const at = lines.findIndex((line) => line.startsWith("TIME"));
    const [header, ...facts] = lines.slice(at);
    expect(first).toBe(whyOf(story).answer);
    expect(first?.split(" ").length).toBeLessThanOrEqual(MAX_HEADLINE_WORDS);
    expect(header).toMatch(/^TIME {3,}RESOURCEVERSION {3,}OBJECT {3,}WHAT HAPPENED$/);
    expect(facts[0]).toMatch(/^2026-01-01T\S+Z {3,}\d+ {3,}(pod|job|node)\/\S+ {3,}\S/);
  });

  it("says of the eaten success that the Job was complete at the first, and what Kubernetes still says", () => {
    const { answer, remedies } = whyOf(podGcAteSuccess());
    expect(answer).toContain("Complete at the first success");
    expect(answer).toContain("49 needless re-runs");
    expect(answer).toContain("each Pod deleted by pod-garbage-collector after it had succeeded");
    expect(answer).toContain("Kubernetes still reports active 1");
    expect(remedies.join(" ")).toMatch(/terminated-pod-gc-threshold.*1\.26/s);
  });

  it("names the phantom-running Pods of a Job that never ends, their nodes, and that their outcome is unknown", () => {
    const { answer, details } = whyOf(twoRunningForEver());
    expect(answer).toBe(
      "Running: 98 of 100 succeeded, 2 active; 1 Pod is phantom-running (encode-098 on node-a); " +
        "node-b not ready since 2026-01-01T00:02:08Z; their outcome is unknown, not failed.",
    );
    expect(details.join(" ")).toContain("encode-098 on node-a since 2026-01-01T00:01:58Z");
    expect(details.join(" ")).toContain("encode-099");
  });

  it("says that a Pod without a change for the given time may be phantom-running, with its node", () => {
    const story = twoRunningForEver();
    story.podCreated("100");
    story.podTracked("100");
    story.podStarted("100", "node-c");
    const last = story.now;
    story.after(1_800);
    const { clusterContext, now } = story;
    const options = { cluster: "small", clusterContext, now, phantomAfter: 1_800_000 };
    const { details } = answerAndWhy(story.record, options).why;
    expect(details.join(" ")).toContain("no fact shows which");
    expect(details.join(" ")).toContain("encode-100");
    expect(details.join(" ")).toContain(formatInstant(last));
  });

  it("names the limit that ended the Job, and each attempt with its exit code, even of deleted Pods", () => {
    const { answer, details } = whyOf(whichLimit());
    expect(answer).toBe(
      "Failed (DeadlineExceeded): 0 of 1 succeeded; the Job's activeDeadlineSeconds (60 s) passed; " +
        "exit code 3 once, then exit code 1 once.",
    );
    expect(details.join(" ")).toContain("backoffLimit (6) was not reached: 2 Pods had failed");
    expect(details.join(" ")).toContain(
      "report-a: container work exited with code 3 (its Pod is gone); report-b: container work exited with code 1",
    );
  });

  it("counts attempts by how they ended where they are many", () => {
    const story = new Story();
    story.jobCreated({ backoffLimit: 11 });
    story.jobTracked();
    for (let run = 0; run < 12; run += 1) story.podFails(`p${run}`, run % 4 === 0 ? 137 : 1, 1, { tracked: true });
    story.jobFinished("Failed", "BackoffLimitExceeded", { failed: 12 });
    expect(whyOf(story).answer).toContain(
      "container work exited with code 137 (SIGKILL) (3 times), then container work exited with code 1 (9 times)",
    );
    expect(whyOf(story).details).toContain(
      "12 attempts: container work exited with code 1 (9) and container work exited with code 137 (SIGKILL) (3).",
    );
  });

  it("ties restarts to what the node did, and keeps a flipped success a success", () => {
    const { answer, details } = whyOf(kubeletRestarted());
    expect(answer).toContain("1 Pod became Failed after succeeding");
    const text = details.join(" ");
    expect(text).toContain("1 Pod had succeeded and was reported Failed later (ingest-c): it stays a success");
    expect(text).toContain("2 restarts, exit code 137: ingest-a and ingest-b); a restart is not a new attempt");
    expect(text).toContain("around then node-a was not ready (KubeletNotReady) since 2026-01-01T00:00:30Z");
  });

  it("names who deleted the Job and each Pod", () => {
    const sentences = whyOf(takenByTtl()).chain.map(({ object, sentence }) => `${object}: ${sentence}`);
    expect(sentences).toContain(
      "pod/nightly-a: Was deleted most likely by generic-garbage-collector: " +
        "its Job was being deleted, and its Pods with it.",
    );
  });

  it("says the same a year later", () => {
    const story = takenByTtl();
    const then = whyOf(story);
    story.after(365 * 86_400);
    expect(whyOf(story)).toEqual(then);
  });
});

describe("why, for a healthy Job", () => {
  it("is its answer and its name, without alarm", () => {
    expect(printedOf(healthy()).split("\n")).toEqual([
      "Complete: 1 of 1 succeeded; no findings.",
      "job/render in default: Complete (derived from the facts; Kubernetes reports the same)",
      "",
    ]);
  });
});

describe("the chain of evidence", () => {
  it("is bounded, and says how many facts it leaves out", () => {
    const { chain, omitted } = whyOf(podGcAteSuccess());
    expect(chain).toHaveLength(MAX_CHAIN);
    expect(omitted.count).toBeGreaterThan(0);
    expect(omitted.atLeast).toBe(true);
    expect(printedOf(podGcAteSuccess())).toContain(`... and at least ${omitted.count} more facts`);
  });

  it("is in order of time, with the resourceVersion of each fact", () => {
    const { chain } = whyOf(whichLimit());
    expect(chain.map(({ time }) => time)).toEqual(chain.map(({ time }) => time).toSorted());
    expect(chain.every(({ resourceVersion }) => /^[1-9][0-9]*$/.test(resourceVersion))).toBe(true);
  });

  it("is the same whatever order the facts arrived in", () => {
    const story = kubeletRestarted();
    const straight = whyOf(story);
    story.facts.reverse();
    expect(whyOf(story)).toEqual(straight);
  });
});

describe("an explanation for people", () => {
  it("contains no control characters, whatever the cluster wrote", () => {
    const story = new Story();
    story.jobCreated();
    story.jobTracked();
    story.podFails("a", 1, 2, { tracked: true, reason: "\u001b[2Jgone\r\u202e" });
    story.jobFinished("Failed", "Back\u0007off");
    const text = printedOf(story);
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(text).toContain("Back\ufffdoff");
  });
});

const explained: readonly (readonly [file: string, job: string])[] = [
  ["pod-gc-ate-success.ndjson.gz", "render-0018"],
  ["phantom-running.ndjson", "encode"],
  ["deadline.ndjson", "report-pod-deadline"],
  ["duplicate-execution.ndjson", "publish"],
  ["kubelet-restart.ndjson", "ingest-restarted"],
  ["kubelet-restart-old.ndjson", "ingest-flipped"],
  ["ttl.ndjson", "nightly"],
  ["suspend-resume.ndjson", "batch"],
];

describe.skipIf(skipWithoutShared(explained.map(([file]) => file)))("why, for recordings of real clusters", () => {
  it.each(explained)("explains %s, Job %s", async (file, name) => {
    const reading = { events: 0, rejected: [], rejectedBeyond: 0 };
    const { jobs, clusterContext, latestAt } = await foldFacts(recordedFacts([sharedRecording(file)], reading));
    const told: string[] = [];
    for (const record of jobs) {
      if (record.job.created?.name !== name) continue;
      const { answer, why } = answerAndWhy(record, { cluster: "recording", clusterContext, now: latestAt });
      told.push(printed(answer, why));
    }
    expect(told.join("\n\n")).toMatchSnapshot();
  });
});
