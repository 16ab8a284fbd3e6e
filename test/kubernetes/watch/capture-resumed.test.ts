import { describe, expect, it } from "vitest";
import { decodeJobUid, decodePodUid } from "../../../src/job/model/ids.ts";
import { OtherClusterError } from "../../../src/kubernetes/connection/connection-error.ts";
import { begin, captureAndStop, pod } from "../../support/kubernetes/capture-scene.ts";
import { clock, NOW, retry, server } from "../../support/kubernetes/cluster-scene.ts";
import { status } from "../../support/kubernetes/fake-api-server.ts";
import { JOB_UID, jobObject } from "../../support/kubernetes/watch-objects.ts";

function podUid(name: string) {
  const uid = decodePodUid(`uid-${name}`);
  if (uid === undefined) throw new Error(`${name} is an invalid name.`);
  return uid;
}

const jobUid = decodeJobUid(JOB_UID) ?? expect.fail("no uid");

describe("an API server that was restarted", () => {
  it("causes a gap in each stream except Events, and objects missing from the lists have vanished", async () => {
    server.put("jobs", jobObject());
    server.put("pods", pod("gone"));
    server.put("pods", pod("stays"));
    const run = begin();
    await run.watching();
    await run.told("PodCreated", 2);
    server.forget("pods", pod("gone"));
    server.restart();
    await retry(500);
    await run.told("GapRecorded", 4);
    const blind = run.of("GapRecorded").flatMap(({ resources }) => resources);
    expect(new Set(blind)).toEqual(new Set(["cronjobs", "jobs", "nodes", "pods"]));
    expect(run.of("PodVanished")).toMatchObject([{ podUid: "uid-gone", jobUid: JOB_UID, resourceVersion: 104 }]);
    expect(run.of("JobVanished")).toEqual([]);
    expect(new Set(run.of("GapRecorded").map(({ gapId }) => gapId)).size).toBe(4);
  });

  it("shows the deletion of a Node and a CronJob that its lists lack", async () => {
    const metadata = { name: "n1", uid: "node-1", creationTimestamp: "2026-11-21T08:00:00Z" };
    const node = { kind: "Node", apiVersion: "v1", metadata };
    const cronJob = { kind: "CronJob", apiVersion: "batch/v1", metadata: { ...metadata, uid: "cron-1" }, spec: {} };
    server.put("nodes", node);
    server.put("cronjobs", cronJob);
    const run = begin();
    await run.watching();
    await run.told("NodeObserved");
    await run.told("CronJobObserved");
    server.forget("nodes", node);
    server.forget("cronjobs", cronJob);
    server.restart();
    await retry(500);
    await run.told("NodeDeleted");
    await run.told("CronJobDeleted");
    expect(run.of("NodeDeleted")).toMatchObject([{ node: "n1", nodeUid: "node-1" }]);
  });

  it("shows no deletion by a list with an unreadable object", async () => {
    server.put("pods", pod("a"));
    const run = begin();
    await run.watching();
    await run.told("PodCreated");
    server.next("streamingList", "pods", status(422, "no"));
    server.next("list", "pods", (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(
        `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"110"},"items":[{"metadata":nonsense}]}`,
      );
    });
    server.resourceVersion = 110;
    server.restart();
    await retry(500);
    await run.told("GapRecorded", 4);
    expect(run.of("PodVanished")).toEqual([]);
  });
});

describe("an exporter that restarts", () => {
  it("within the watch cache has no gap", async () => {
    server.put("pods", pod("a"));
    const before = await captureAndStop();
    server.put("pods", pod("b"));
    server.remove("pods", pod("a"));
    const run = begin({ from: before.position });
    await run.told("PodDeleted");
    await run.told("PodCreated", 2);
    expect(run.of("GapRecorded")).toEqual([]);
    expect(run.of("PodCreated").map(({ name }) => name)).toEqual(["b", "a"]);
  });

  it("detects a later deletion of an object of which it saw no event", async () => {
    server.put("pods", pod("quiet"));
    const before = await captureAndStop();
    const run = begin({ from: before.position });
    await run.watching();
    server.forget("pods", pod("quiet"));
    server.restart();
    await run.until(() => run.news.some(({ kind }) => kind === "problem"));
    await retry(500);
    await run.told("PodVanished");
    expect(run.of("PodVanished")).toMatchObject([{ podUid: "uid-quiet", jobUid: JOB_UID }]);
  });

  it("beyond the watch cache records a gap, and known objects that the list lacks have vanished", async () => {
    server.put("jobs", jobObject());
    server.put("pods", pod("stays"));
    const before = await captureAndStop();
    await clock.advance(600_000);
    server.compactedTo = server.resourceVersion + 1;
    server.pass(10);
    const run = begin({
      from: before.position,
      known: async () => ({
        jobs: [jobUid],
        pods: [
          { podUid: podUid("gone"), jobUid },
          { podUid: podUid("stays"), jobUid },
        ],
      }),
    });
    await run.told("GapRecorded", 4);
    expect(run.of("GapRecorded").find(({ resources }) => resources[0] === "pods")).toMatchObject({
      from: NOW,
      to: NOW + 600_000,
      reason: expect.stringContaining("no longer had the changes since resourceVersion 102") as string,
    });
    await run.told("PodVanished");
    expect(run.of("PodVanished")).toMatchObject([{ podUid: "uid-gone", jobUid: JOB_UID }]);
    expect(run.of("JobVanished")).toEqual([]);
  });

  it("after the lifetime of Events has a gap in those, too", async () => {
    const before = await captureAndStop();
    await clock.advance(3_600_000);
    server.compactedTo = server.resourceVersion + 1;
    server.pass(10);
    const run = begin({ from: before.position });
    await run.told("GapRecorded", 5);
    expect(run.of("GapRecorded").flatMap(({ resources }) => resources)).toContain("events");
  });

  it("fails if the cluster is another one", async () => {
    const before = await captureAndStop();
    server.kubeSystemUid = "22222222-0000-4000-8000-000000000002";
    const run = begin({ from: before.position });
    await run.ended();
    expect(run.error).toBeInstanceOf(OtherClusterError);
    expect(String(run.error)).toContain("is another cluster than before");
    expect(run.facts).toEqual([]);
  });

  it("continues without the cluster's identity where access to it is denied", async () => {
    const before = await captureAndStop();
    server.next("namespace", "kube-system", status(403, "forbidden"));
    const run = begin({ from: before.position });
    await run.watching();
    expect(run.error).toBeUndefined();
  });

  it("starts a new epoch of all streams after etcd was restored", async () => {
    server.put("pods", pod("a"));
    const before = await captureAndStop();
    server.restore(40);
    const run = begin({ from: before.position });
    await run.told("GapRecorded", 4);
    await run.told("PodCreated");
    await run.watching();
    expect(run.position.epoch).toBe(1);
    expect(run.of("PodCreated")).toMatchObject([{ epoch: 1 }]);
    expect(Object.values(run.position.resources).map((resource) => resource?.resourceVersion)).toEqual(
      Array.from({ length: 6 }, () => 40),
    );
  });
});
