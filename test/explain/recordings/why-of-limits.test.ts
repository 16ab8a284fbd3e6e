import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MAX_HEADLINE_WORDS } from "../../../src/explain/headline/line-of.ts";
import { whyTextsOf } from "../../support/recordings/why-texts.ts";

/** Recorded on Kubernetes 1.36.3 with a real kubelet and scheduler, without texts of the cluster. */
const RECORDINGS = ["idle-jobs.ndjson.gz", "refused-and-limited.ndjson.gz"];

const texts = (
  await Promise.all(RECORDINGS.map((file) => whyTextsOf(join(import.meta.dirname, "../../recordings", file))))
).flat();
const headlines = new Map(texts.map(({ namespace, job, headline }) => [`${namespace}/${job}`, headline]));

describe("the headline of a Job", () => {
  it.each([
    ["idle/zero", "waiting since 2026-11-22T22:14:32Z: 0 succeeded; parallelism is 0, so no Pod is wanted"],
    ["idle/scaled-to-zero", "parallelism is 0, so no Pod is wanted"],
    ["idle/managed", "managed by example.com/other, not by the Job controller"],
    ["idle/late-queue", "queued by Kueue in queue gpu-late"],
    ["idle/retries", "3 attempts failed before: container work exited with code 1"],
    ["eph/container-limit", "evicted by the kubelet: the Pod exceeded its limit of ephemeral-storage"],
    ["eph/log-limit", "evicted by the kubelet: the Pod exceeded its limit of ephemeral-storage"],
    ["eph/empty-dir", "evicted by the kubelet: the Pod exceeded its limit of ephemeral-storage"],
    ["disk/evicted-disk", "evicted by the kubelet on node-a: the node was low on ephemeral-storage"],
    ["disk/refused-disk", "evicted by the kubelet on node-a: the node was low on ephemeral-storage"],
    ["disk/evicted-pids", "evicted by the kubelet on node-a: the node was low on pids"],
    ["disk/tainted-disk", "Unschedulable: untolerated taint on 1 of 2 nodes"],
    ["hook-deny/denied", "no Pod could be created, admission webhook pods.policy.example.com denied it"],
    ["hook-deny/denied-deadline", "no Pod could be created, admission webhook pods.policy.example.com denied it"],
    ["hook-down/unreachable", "admission webhook pods.policy.example.com cannot be reached"],
    ["vap/by-policy", "admission policy no-pods denied it"],
    ["mixed/some-fit", "2 of 5 Pods never scheduled (Insufficient cpu), 3 ran until then"],
    ["mixed/ports", "1 of 3 Pods never scheduled (host port is taken), 2 ran"],
    ["mixed/one-image-missing", "ErrImagePull: the image of container helper cannot be pulled (not found)"],
    ["node-name/direct-cpu", "OutOfcpu: node-a refused the Pod (not enough cpu)"],
    ["node-name/direct-selector", "NodeAffinity: node-a refused the Pod"],
    ["node-name/direct-sysctl", "SysctlForbidden: node-a refused the Pod"],
    ["node-name/direct-windows", "PodOSNotSupported: node-a refused the Pod"],
    ["node-name/direct-ghost", "node node-zz is missing or lost; the Pod was not reported running"],
    ["sandbox/no-handler", "FailedCreatePodSandBox: no sandbox on node-b (runtime handler is missing)"],
    ["sandbox/no-handler-deadline", "FailedCreatePodSandBox: no sandbox on node-b (runtime handler is missing) since"],
    ["sandbox/host-users", "FailedCreatePodSandBox: no sandbox on node-b (not supported by the runtime) since"],
    ["start/limit-too-low", "StartError: container work could not be started (memory limit too low)"],
    ["start/work-dir", "StartError: container work could not be started (working directory not usable)"],
    ["start/exec-dir", "StartError: container work could not be started (permission denied)"],
    ["start/seccomp", "CreateContainerError: container work could not be started (security profile is missing) since"],
    ["start/root-by-hand", "CreateContainerConfigError: container work could not be started (root user not allowed)"],
    ["volumes/csi-missing", "FailedMount: a volume could not be mounted (driver is missing) since"],
    ["volumes/nfs", "FailedMount: a volume could not be mounted (driver is missing) since"],
    ["volumes/host-path", "FailedMount: a volume could not be mounted (path is missing) since"],
    ["volumes/projected", "FailedMount: a volume could not be mounted (ConfigMap is missing) since"],
    ["volumes/second-user", "FailedAttachVolume: a volume could not be mounted (in use elsewhere) since"],
    ["volumes/sub-path-expr", "could not be started (environment variable is missing) since"],
    ["tamper/failed-up", "the reported status contradicts the facts: failed is 3, and no Pod can have failed"],
    ["tamper/forged-end", "the Job was Complete with 1 succeeded when no Pod had succeeded"],
    ["tamper/forged-failure", "failed for BackoffLimitExceeded with 0 failed Pods, and backoffLimit is 6"],
    ["tamper/index-up", "succeeded is 3, and only 1 Pod can have succeeded"],
    ["tamper/up-down", "succeeded is 2, and only 1 Pod can have succeeded"],
  ])("%s says: %s", (job, cause) => {
    expect(headlines.get(job)).toContain(cause);
  });

  it("has at most 25 words", () => {
    const long = [...headlines.values()].filter((line) => line.split(/\s+/).length > MAX_HEADLINE_WORDS);
    expect(long).toEqual([]);
  });
});

describe("why, for every Job of the recordings", () => {
  it("is what was reviewed", async () => {
    const all = texts.map(({ namespace, job, text }) => `# ${namespace}/${job}\n\n${text}`);
    await expect(all.join("\n\n")).toMatchFileSnapshot("why-of-limits.golden.md");
  });
});
