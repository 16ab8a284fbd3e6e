import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { decodeJobUid, decodePodUid } from "../../src/job/ids.ts";
import { captureCluster } from "../../src/kubernetes/capture.ts";
import { OtherClusterError } from "../../src/kubernetes/connection-error.ts";
import { openKubeconfig } from "../../src/kubernetes/kubeconfig-connection.ts";
import { decodePosition } from "../../src/kubernetes/position.ts";
import { CaptureRun, type CaptureRunOptions } from "../support/capture-run.ts";
import { FakeApiServer, status } from "../support/fake-api-server.ts";
import { ManualClock, settled } from "../support/manual-clock.ts";
import { JOB_UID, jobObject, ownedByJob, podObject } from "../support/watch-objects.ts";

const NOW = Date.UTC(2026, 10, 21, 12);

let clock: ManualClock;
let server: FakeApiServer;
const runs: CaptureRun[] = [];

beforeEach(async () => {
  clock = new ManualClock(NOW);
  server = await FakeApiServer.open({ clock });
});
afterEach(async () => {
  for (const run of runs.splice(0)) await run.stop();
  await server.close();
});

function begin(options: Partial<CaptureRunOptions> = {}): CaptureRun {
  const run = new CaptureRun({ server, clock, ...options });
  runs.push(run);
  return run;
}

function pod(name: string, more: Parameters<typeof podObject>[0] = {}) {
  return podObject({ ...more, metadata: { name, uid: `uid-${name}`, ...more.metadata } });
}

function podUid(name: string) {
  const uid = decodePodUid(`uid-${name}`);
  if (uid === undefined) throw new Error(`${name} is no name.`);
  return uid;
}

const jobUid = decodeJobUid(JOB_UID) ?? expect.fail("no uid");

/** A capture that has told what there is, and stops. */
async function captureAndStop(): Promise<CaptureRun> {
  const run = begin();
  await run.watching();
  await run.told("ClusterObserved");
  await run.stop();
  return run;
}

async function retry(milliseconds: number): Promise<void> {
  await clock.armed(milliseconds);
  await clock.advance(milliseconds);
}

describe("a cluster that is seen for the first time", () => {
  it("has no gap, whatever was before", async () => {
    server.put("jobs", jobObject());
    server.put("pods", pod("a"));
    const run = begin();
    await run.watching();
    await run.told("PodCreated");
    await run.told("JobCreated");
    await run.told("ClusterObserved");
    expect(run.of("GapRecorded")).toEqual([]);
    expect(run.of("PodCreated")).toMatchObject([{ podUid: "uid-a", jobUid: JOB_UID, epoch: 0 }]);
    expect(run.of("ClusterObserved")).toMatchObject([
      { kubeSystemUid: server.kubeSystemUid, serverVersion: "v1.36.3", at: NOW },
    ]);
  });

  it("comes to a position that is read back as it was", async () => {
    const run = await captureAndStop();
    expect(decodePosition(JSON.parse(JSON.stringify(run.position)))).toEqual(run.position);
    expect(run.position).toEqual({
      clusterUid: server.kubeSystemUid,
      epoch: 0,
      lastSeenAt: NOW,
      resources: Object.fromEntries(
        ["jobs", "pods", "cronjobs", "nodes", "events"].map((resource) => [
          resource,
          { resourceVersion: 100, seenAt: NOW },
        ]),
      ),
    });
  });

  it("is dated by its own clock when the one here is an hour off", async () => {
    server.aheadMillis = 3_600_000;
    const run = await captureAndStop();
    expect(run.of("ClusterObserved")[0]?.at).toBe(NOW + 3_600_500);
  });
});

describe("what a capture tells", () => {
  it("holds no environment, command, image, annotation, address or output of a program", async () => {
    const container = {
      name: "work",
      image: "secret/image",
      command: ["secret"],
      env: [{ name: "A", value: "secret" }],
    };
    const terminated = { exitCode: 1, message: "secret output" };
    const run = begin();
    await run.watching();
    server.put("jobs", jobObject({ spec: { template: { spec: { containers: [container] } } } }));
    server.put(
      "pods",
      pod("a", {
        metadata: { annotations: { "example.com/note": "secret" } },
        spec: { containers: [container] },
        status: { phase: "Failed", podIP: "10.9.8.7", containerStatuses: [{ name: "work", state: { terminated } }] },
      }),
    );
    await run.told("ContainerEnded");
    await run.told("JobCreated");
    const text = JSON.stringify(run.captures);
    expect(text).not.toContain("secret");
    expect(text).not.toContain("10.9.8.7");
  });
});

describe("Pods of others", () => {
  it("are no facts, and Events about them none either", async () => {
    const run = begin();
    await run.watching();
    const foreign = pod("web", { metadata: { ownerReferences: [ownedByJob({ kind: "ReplicaSet" })], labels: {} } });
    server.put("pods", foreign);
    server.put("events", event("e1", "uid-web"));
    server.put("pods", pod("a"));
    server.put("events", event("e2", "uid-a"));
    await run.told("EventHinted");
    expect(run.of("PodCreated").map(({ name }) => name)).toEqual(["a"]);
    expect(run.of("EventHinted").map(({ hintId }) => hintId)).toEqual(["e2"]);
  });

  it("may turn out to be a Job's: then the Events that came before are told", async () => {
    const run = begin();
    await run.watching();
    server.put("events", event("early", "uid-a"));
    await run.until(() => run.position.resources.events?.resourceVersion === 101);
    expect(run.of("EventHinted")).toEqual([]);
    server.put("pods", pod("a"));
    await run.told("EventHinted");
    expect(run.of("EventHinted").map(({ hintId }) => hintId)).toEqual(["early"]);
  });
});

function event(uid: string, target: string) {
  return {
    kind: "Event",
    apiVersion: "v1",
    metadata: { name: uid, namespace: "night", uid, creationTimestamp: "2026-11-21T11:00:00Z" },
    involvedObject: { kind: "Pod", namespace: "night", name: target, uid: target },
    reason: "Scheduled",
    message: "assigned",
  };
}

describe("a Pod that is orphaned while it runs", () => {
  it("is told of the Job it was of, as released", async () => {
    const run = begin();
    await run.watching();
    server.put("pods", pod("a", { metadata: { labels: {} } }));
    await run.told("PodCreated");
    server.put("pods", pod("a", { metadata: { ownerReferences: [], labels: {} } }));
    await run.told("PodReleased");
    expect(run.of("PodReleased")).toMatchObject([{ jobUid: JOB_UID, podUid: "uid-a" }]);
  });
});

function node(beat: string) {
  const ready = {
    type: "Ready",
    status: "True",
    lastTransitionTime: "2026-11-21T08:00:00Z",
    lastHeartbeatTime: beat,
  };
  return {
    kind: "Node",
    apiVersion: "v1",
    metadata: { name: "n1", uid: "node-1", creationTimestamp: "2026-11-21T08:00:00Z" },
    status: { conditions: [ready] },
  };
}

describe("a Node whose kubelet only says that it is still there", () => {
  it("is told of once", async () => {
    const run = begin();
    await run.watching();
    server.put("nodes", node("2026-11-21T08:00:00Z"));
    server.put("nodes", node("2026-11-21T08:05:00Z"));
    server.put("nodes", node("2026-11-21T08:10:00Z"));
    await run.until(() => run.position.resources.nodes?.resourceVersion === 103);
    expect(run.of("NodeObserved")).toHaveLength(1);
  });
});

describe("a namespace that is deleted under the watch", () => {
  it("ends in the deletion of all that was in it", async () => {
    server.put("jobs", jobObject());
    server.put("pods", pod("a"));
    const run = begin();
    await run.watching();
    server.remove("pods", pod("a"));
    server.remove("jobs", jobObject());
    await run.told("JobDeleted");
    await run.told("PodDeleted");
    expect(run.of("GapRecorded")).toEqual([]);
    expect(run.of("PodVanished")).toEqual([]);
  });
});

describe("an API server that was restarted", () => {
  it("leaves a gap for each stream but that of Events, which are told again, and what is missing from the lists has vanished", async () => {
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

  it("says that a Node and a CronJob are gone which its lists lack", async () => {
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

  it("says nothing of what it lacks when something in its list could not be read", async () => {
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

describe("an exporter that comes back", () => {
  it("within the watch cache misses nothing and declares nothing", async () => {
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

  it("knows what exists, so that what goes missing later is told, though it never saw an event of it", async () => {
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

  it("beyond the watch cache declares the gap since it was last seen, and what the tracker knows and the list lacks has vanished", async () => {
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
      reason: expect.stringContaining("no longer knew what had happened since resourceVersion 102") as string,
    });
    await run.told("PodVanished");
    expect(run.of("PodVanished")).toMatchObject([{ podUid: "uid-gone", jobUid: JOB_UID }]);
    expect(run.of("JobVanished")).toEqual([]);
  });

  it("after longer than Events live has a gap of those, too", async () => {
    const before = await captureAndStop();
    await clock.advance(3_600_000);
    server.compactedTo = server.resourceVersion + 1;
    server.pass(10);
    const run = begin({ from: before.position });
    await run.told("GapRecorded", 5);
    expect(run.of("GapRecorded").flatMap(({ resources }) => resources)).toContain("events");
  });

  it("is refused when the cluster is another one", async () => {
    const before = await captureAndStop();
    server.kubeSystemUid = "22222222-0000-4000-8000-000000000002";
    const run = begin({ from: before.position });
    await run.ended();
    expect(run.error).toBeInstanceOf(OtherClusterError);
    expect(String(run.error)).toContain("is another cluster than before");
    expect(run.facts).toEqual([]);
  });

  it("to a cluster whose identity may not be read goes on without it", async () => {
    const before = await captureAndStop();
    server.next("namespace", "kube-system", status(403, "forbidden"));
    const run = begin({ from: before.position });
    await run.watching();
    expect(run.error).toBeUndefined();
  });

  it("to an etcd that was restored begins an epoch for all streams", async () => {
    server.put("pods", pod("a"));
    const before = await captureAndStop();
    server.restore(40);
    const run = begin({ from: before.position });
    await run.told("GapRecorded", 4);
    await run.told("PodCreated");
    await run.watching();
    expect(run.position.epoch).toBe(1);
    expect(run.of("PodCreated")).toMatchObject([{ epoch: 1 }]);
    expect(Object.values(run.position.resources).map(({ resourceVersion }) => resourceVersion)).toEqual(
      Array.from({ length: 5 }, () => 40),
    );
  });
});

describe("a right that is missing for one resource", () => {
  it("stops that one only, and is a gap once it is granted", async () => {
    for (let times = 0; times < 2; times += 1) server.next("streamingList", "pods", status(403, "forbidden"));
    const run = begin();
    await run.until(() => run.news.filter(({ kind }) => kind === "watching").length === 4);
    server.put("jobs", jobObject());
    await run.told("JobCreated");
    await retry(500);
    await retry(1000);
    await run.told("GapRecorded");
    expect(run.of("GapRecorded")).toMatchObject([{ resources: ["pods"], from: NOW, to: NOW + 1500 }]);
    expect(run.position.resources.pods?.resourceVersion).toBe(101);
  });
});

describe("the heartbeat of a cluster", () => {
  it("says once a minute until when everything was seen", async () => {
    const run = begin();
    await run.watching();
    for (let times = 2; times < 6; times += 1) {
      await clock.armed(30_000);
      await clock.advance(30_000);
      await run.watching(times);
    }
    expect(run.of("ClusterObserved").map(({ at }) => at - NOW)).toEqual([0, 60_000]);
  });
});

describe("a capture that nobody asks for more", () => {
  it("reads no more, so that the server has to wait", async () => {
    const stopper = new AbortController();
    const connection = openKubeconfig({ kind: "kubeconfig", file: server.kubeconfig() });
    const options = { clock, random: () => 0, signal: stopper.signal };
    const listed: string[] = [];
    const captured = captureCluster(connection, {
      ...options,
      report: (news) => {
        if (news.kind === "listed") listed.push(news.resource);
      },
    });
    while (!listed.includes("pods")) await captured.next();
    const blob = "x".repeat(1_000_000);
    for (let number = 0; number < 40; number += 1) {
      server.put("pods", pod(`pod-${number}`, { metadata: { annotations: { blob } } }));
    }
    await settled();
    expect(server.unsentBytes("pods")).toBeGreaterThan(10_000_000);
    stopper.abort();
    await captured.return(undefined);
  });
});
