import { describe, expect, it } from "vitest";
import { begin, captureAndStop } from "../../support/kubernetes/capture-scene.ts";
import { clock, retry, server } from "../../support/kubernetes/cluster-scene.ts";
import { status } from "../../support/kubernetes/fake-api-server.ts";
import type { CaptureRun } from "../../support/kubernetes/capture-run.ts";

const JOB_SETS = "jobsets.jobset.x-k8s.io";
const ABSENT = 60_000;

function jobSet(name: string) {
  const metadata = { name, namespace: "ml", uid: `uid-${name}`, creationTimestamp: "2026-11-21T08:00:00Z" };
  const spec = { replicatedJobs: [{ name: "secret" }] };
  return { kind: "JobSet", apiVersion: "jobset.x-k8s.io/v1alpha2", metadata, spec, status: { restarts: 1 } };
}

function installJobSets(): void {
  server.install("jobsets", "jobset.x-k8s.io/v1alpha2");
}

/** Waits until a custom resource is watched for the `times`-th time. */
function watched(run: CaptureRun, resource = JOB_SETS, times = 1): Promise<void> {
  return run.until(
    () => run.news.filter((event) => event.kind === "watching" && event.resource === resource).length >= times,
  );
}

async function lookAgain(): Promise<void> {
  await clock.armed(ABSENT);
  await clock.advance(ABSENT);
}

describe("a custom resource that the cluster does not serve", () => {
  it("is no gap, no problem and no part of the position", async () => {
    const run = await captureAndStop();
    expect(run.of("GapRecorded")).toEqual([]);
    expect(run.news.filter(({ kind }) => kind === "problem" || kind === "removed")).toEqual([]);
    const builtIn = ["jobs", "pods", "cronjobs", "nodes", "namespaces", "events"];
    expect(Object.keys(run.position.resources).toSorted()).toEqual(builtIn.toSorted());
  });

  it("is watched once it is installed, without a gap", async () => {
    const run = begin();
    await run.watching();
    installJobSets();
    server.put("jobsets", jobSet("early"));
    await lookAgain();
    await watched(run);
    server.put("jobsets", jobSet("late"));
    await run.told("ParentObserved", 2);
    expect(run.of("ParentObserved")).toMatchObject([
      { of: "JobSet", name: "early", fields: { restarts: "1" } },
      { of: "JobSet", name: "late" },
    ]);
    expect(JSON.stringify(run.of("ParentObserved"))).not.toContain("secret");
    expect(run.of("GapRecorded")).toEqual([]);
  });

  it("is watched without a gap by another process, if it was installed in between", async () => {
    const before = await captureAndStop();
    installJobSets();
    server.put("jobsets", jobSet("a"));
    const run = begin({ from: before.position });
    await run.told("ParentObserved");
    expect(run.of("GapRecorded")).toEqual([]);
  });
});

describe("a custom resource in several versions", () => {
  it("is watched in the preferred one that the cluster serves", async () => {
    server.install("workloads", "kueue.x-k8s.io/v1beta1");
    const run = begin();
    await watched(run, "workloads.kueue.x-k8s.io");
    expect(server.asked.filter(({ resource }) => resource === "workloads").map(({ path }) => path)).toEqual([
      "/apis/kueue.x-k8s.io/v1beta1/workloads",
    ]);
  });
});

describe("a custom resource that is removed", () => {
  it("ends its watch without a gap, and its objects are deleted", async () => {
    installJobSets();
    server.put("jobsets", jobSet("a"));
    const run = begin();
    await run.watching();
    await watched(run);
    await run.told("ParentObserved");
    server.uninstall("jobsets");
    await retry(500);
    await run.told("ParentDeleted");
    expect(run.of("ParentDeleted")).toMatchObject([{ of: "JobSet", name: "a", runUid: "uid-a", resourceVersion: 101 }]);
    expect(run.of("GapRecorded")).toEqual([]);
    expect(run.news.filter(({ kind }) => kind === "problem")).toEqual([]);
    expect(run.news.filter(({ kind }) => kind === "removed")).toEqual([{ kind: "removed", resource: JOB_SETS }]);
    expect(run.position.resources).not.toHaveProperty([JOB_SETS]);
  });

  it("is watched again once it is installed again", async () => {
    installJobSets();
    const run = begin();
    await run.watching();
    await watched(run);
    server.uninstall("jobsets");
    await retry(500);
    await run.until(() => run.news.some(({ kind }) => kind === "removed"));
    installJobSets();
    server.put("jobsets", jobSet("new"));
    await lookAgain();
    await run.told("ParentObserved");
    expect(run.of("GapRecorded")).toEqual([]);
  });

  it("while no process watched is no gap", async () => {
    installJobSets();
    const first = begin();
    await first.watching();
    await watched(first);
    await first.told("ClusterObserved");
    await first.stop();
    expect(first.position.resources).toHaveProperty([JOB_SETS]);
    server.uninstall("jobsets");
    const run = begin({ from: first.position });
    await run.until(() => run.news.some(({ kind }) => kind === "removed"));
    await run.watching();
    expect(run.of("GapRecorded")).toEqual([]);
  });
});

describe("a custom resource without permission", () => {
  it("is a problem that names the rule, and no gap", async () => {
    installJobSets();
    server.next("streamingList", "jobsets", status(403, "jobsets is forbidden"));
    const run = begin();
    await run.watching();
    await run.until(() => run.news.some(({ kind }) => kind === "problem"));
    expect(run.news.filter(({ kind }) => kind === "problem")).toMatchObject([
      {
        resource: JOB_SETS,
        message:
          `Cannot watch ${JOB_SETS} on ${server.url}: access denied (403). ` +
          `Grant {apiGroups: ["jobset.x-k8s.io"], resources: ["jobsets"], verbs: ["get", "list", "watch"]} ` +
          "in a ClusterRole.",
      },
    ]);
    await retry(500);
    await watched(run);
    expect(run.of("GapRecorded")).toEqual([]);
  });

  it("is looked for by its requests where discovery is denied too", async () => {
    installJobSets();
    server.next("discovery", "v1alpha2", status(403, "forbidden"));
    const run = begin();
    await watched(run);
    expect(run.news.filter(({ kind }) => kind === "problem")).toEqual([]);
  });
});

describe("what a list of a custom resource lacks", () => {
  it("was deleted, also if this process has read its metadata only", async () => {
    installJobSets();
    server.put("jobsets", jobSet("gone"));
    const first = begin();
    await first.watching();
    await first.told("ParentObserved");
    await first.told("ClusterObserved");
    await first.stop();
    const run = begin({ from: first.position });
    await run.watching();
    await watched(run);
    server.forget("jobsets", jobSet("gone"));
    server.restart();
    await run.until(() => run.news.some(({ kind }) => kind === "problem"));
    await retry(500);
    await run.told("ParentDeleted");
    expect(run.of("ParentDeleted")).toMatchObject([{ name: "gone", uid: "uid-gone", runUid: "uid-gone" }]);
    expect(run.of("GapRecorded").flatMap(({ resources }) => resources)).toContain(JOB_SETS);
  });
});
