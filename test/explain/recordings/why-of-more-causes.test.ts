import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MAX_HEADLINE_WORDS } from "../../../src/explain/headline/line-of.ts";
import { whyTextsOf } from "../../support/recordings/why-texts.ts";

/** Recorded on Kubernetes 1.36.3 with a real kubelet and scheduler, without texts of the cluster. */
const RECORDING = join(import.meta.dirname, "../../recordings/more-causes.ndjson.gz");

const texts = await whyTextsOf(RECORDING);
const headlines = new Map(texts.map(({ namespace, job, headline }) => [`${namespace}/${job}`, headline]));

describe("the headline of a Job", () => {
  it.each([
    ["oom/init-eats", "OOMKilled: init container prepare exceeded its memory limit (32Mi); backoffLimit (0)"],
    ["oom/sidecar-eats", "1 restart in place: OOMKilled: sidecar proxy exceeded its memory limit (32Mi)"],
    ["oom/helper-eats-late", "container work exited with code 3 once, then OOMKilled: container helper"],
    ["oom/helper-eats-first", "OOMKilled: container helper exceeded its memory limit (32Mi)"],
    ["oom/eats-to-limit", "OOMKilled: container work exceeded its memory limit (32Mi); backoffLimit (1) reached by"],
    ["oom/eats-then-fails", "OOMKilled: container work exceeded its memory limit (32Mi) once, then container work"],
    ["oom/eats-deadline", "the Job's activeDeadlineSeconds (20 s) passed; OOMKilled: container work"],
    ["start/exit-127", "container work exited with code 127 (command not found)"],
    ["start/exit-126", "container work exited with code 126 (command not executable)"],
    ["start/bad-command-init", "StartError: init container prepare could not be started (program not found)"],
    ["start/root-user", "CreateContainerConfigError: container work could not be started (root user not allowed)"],
    ["start/no-key", "CreateContainerConfigError: container work could not be started (ConfigMap key is missing)"],
    ["start/no-secret-env", "CreateContainerConfigError: container work could not be started (Secret is missing)"],
    ["start/init-no-image", "ImagePullBackOff: the image of init container prepare cannot be pulled (not found)"],
    ["start/second-no-image", "ErrImagePull: the image of container helper cannot be pulled (not found) since"],
    ["start/no-registry", "ImagePullBackOff: the image of container work cannot be pulled (registry unreachable)"],
    ["start/no-pvc", "Unschedulable: no node fits (PersistentVolumeClaim does not exist)"],
    ["start/restarts", "exited with code 7; backoffLimit (6) reached by restarts in place."],
    ["probe/unhealthy-in-place", "liveness probe failed, so container work was killed; backoffLimit (1) reached by"],
    ["probe/helper-unhealthy", "liveness probe failed, so container helper was killed"],
    ["probe/sidecar-unhealthy", "Complete: 1 of 1 succeeded; 3 restarts in place: liveness probe failed, so sidecar"],
    ["probe/sidecar-not-started", "startup probe failed, so sidecar proxy was killed"],
    ["probe/unready", "container work exited with code 2"],
    ["probe/answers-0-probe", "liveness probe failed, so container work was killed; its Pod did not fail for it"],
    ["policy/fail-job-at-once", "exited with code 42; FailJob rule at index 0 of podFailurePolicy matched"],
    ["policy/ignored-then-ok", "not counted: Ignore rule at index 0 of podFailurePolicy"],
    ["policy/ignored-deadline", "container work exited with code 7; not counted (Ignore rule at index 0)"],
    ["policy/counted", "container work exited with code 9 in 2 of 2 attempts; backoffLimit (1) reached"],
    ["policy/not-in", "container work exited with code 5; FailJob rule at index 0 of podFailurePolicy matched"],
    ["policy/per-index", "exited with code 6 in 2 of 2 attempts; index 1 exceeded backoffLimitPerIndex (1)"],
    ["policy/max-failed", "container work exited with code 6 in 2 of 2 attempts; maxFailedIndexes (1) exceeded"],
    ["policy/fail-index", "exited with code 42; index 2 failed by FailIndex rule at index 0 of podFailurePolicy"],
    ["policy/enough", "Complete (SuccessPolicy): 1 of 3 succeeded; 1 attempt failed before"],
    ["policy/sized-down", "Complete: 6 of 6 succeeded; 2 surplus Pods stopped, not counted as failed"],
    ["policy/resumed", "a suspension or scale-down stopped 1 Pod, not counted as failed"],
    ["policy/deadline-after-fails", "activeDeadlineSeconds (22 s) passed; container work exited with code 3 in 2 of 2"],
    ["sched/memory", "Unschedulable: no node fits (Insufficient memory on 2 of 2 nodes)"],
    ["sched/gpu", "Unschedulable: no node fits (Insufficient nvidia.com/gpu on 2 of 2 nodes) since"],
    ["sched/gated", "SchedulingGated: scheduling gate example.com/wait is on"],
    ["sched/gated-deadline", "activeDeadlineSeconds (10 s) passed; SchedulingGated: scheduling gate example.com/wait"],
    ["sched/unbound", "Unschedulable: no node fits (PersistentVolumeClaim is not bound)"],
    ["sched/absent-claim", "Unschedulable: no node fits (PersistentVolumeClaim does not exist) since"],
    ["sched/no-scheduler", "not scheduled: no scheduler has placed the Pod, or said why not"],
    ["sched/suspended", "Suspended since"],
    ["sched/later-suspended", "its suspension stopped 1 Pod, not counted as failed"],
    ["refused/no-runtime", "FailedCreate: no Pod could be created, RuntimeClass is missing"],
    ["refused/no-priority", "FailedCreate: no Pod could be created, PriorityClass is missing"],
    ["refused/no-account", "FailedCreate: no Pod could be created, ServiceAccount is missing"],
    ["refused/all-refused", "FailedCreate: no Pod could be created, quota exceeded"],
  ])("%s says: %s", (job, cause) => {
    expect(headlines.get(job)).toContain(cause);
  });

  it("has at most 25 words", () => {
    const long = [...headlines.values()].filter((line) => line.split(/\s+/).length > MAX_HEADLINE_WORDS);
    expect(long).toEqual([]);
  });
});

describe("why, for every Job of the recording", () => {
  it("is what was reviewed", async () => {
    const sections = texts.map(({ namespace, job, text }) => `# ${namespace}/${job}\n\n${text}`);
    await expect(sections.join("\n\n")).toMatchFileSnapshot("why-of-more-causes.golden.md");
  });
});
