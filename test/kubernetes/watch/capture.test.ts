import { describe, expect, it } from "vitest";
import { captureCluster } from "../../../src/kubernetes/watch/capture.ts";
import { openKubeconfig } from "../../../src/kubernetes/connection/kubeconfig-connection.ts";
import { decodePosition } from "../../../src/kubernetes/watch/position.ts";
import { begin, captureAndStop, pod } from "../../support/kubernetes/capture-scene.ts";
import { clock, NOW, retry, server } from "../../support/kubernetes/cluster-scene.ts";
import { status } from "../../support/kubernetes/fake-api-server.ts";
import { settled } from "../../support/running/manual-clock.ts";
import { JOB_UID, jobObject, ownedByJob } from "../../support/kubernetes/watch-objects.ts";

describe("the first capture of a cluster", () => {
  it("has no gap", async () => {
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

  it("reaches a position that can be stored and decoded", async () => {
    const run = await captureAndStop();
    expect(decodePosition(JSON.parse(JSON.stringify(run.position)))).toEqual(run.position);
    expect(run.position).toEqual({
      clusterUid: server.kubeSystemUid,
      epoch: 0,
      lastSeenAt: NOW,
      resources: Object.fromEntries(
        ["jobs", "pods", "cronjobs", "nodes", "namespaces", "events"].map((resource) => [
          resource,
          { resourceVersion: 100, seenAt: NOW },
        ]),
      ),
    });
  });

  it("uses the cluster's clock if the local one is an hour off", async () => {
    server.aheadMillis = 3_600_000;
    const run = await captureAndStop();
    expect(run.of("ClusterObserved")[0]?.at).toBe(NOW + 3_600_500);
  });
});

describe("a capture from a position without resources, as it is set after a restore", () => {
  it("lists everything, and records what was not observed since that instant", async () => {
    server.put("jobs", jobObject());
    const restoredUntil = NOW - 3_600_000;
    const from = decodePosition({ epoch: 0, lastSeenAt: restoredUntil, resources: {} });
    const run = begin({ ...(from !== undefined && { from }) });
    await run.watching();
    await run.told("JobCreated");
    const gaps = run.of("GapRecorded").filter(({ resources }) => resources.includes("jobs"));
    expect(gaps.map(({ from: begun }) => begun)).toEqual([restoredUntil]);
  });
});

describe("the facts of a capture", () => {
  it("have no instant more than a day after the cluster's clock, which may itself be wrong", async () => {
    server.aheadMillis = 10 * 86_400_000;
    const [plausible, absurd] = [9, 12].map((days) => new Date(NOW + days * 86_400_000).toISOString());
    const run = begin();
    await run.watching();
    server.put("jobs", jobObject({ status: { startTime: plausible, completionTime: absurd } }));
    await run.told("JobReported");
    expect(run.of("JobReported")).toMatchObject([{ status: { startTime: NOW + 9 * 86_400_000 } }]);
    expect(JSON.stringify(run.of("JobReported"))).not.toContain("completionTime");
    expect(run.of("JobReported")[0]?.at).toBeLessThanOrEqual(NOW + 10 * 86_400_000 + 500);
  });

  it("contain no environment, command, image, annotation, address or program output", async () => {
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

describe("Pods without a Job", () => {
  it("cause no facts, nor do Events about them", async () => {
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

  it("release their earlier Events once a Job is known", async () => {
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

describe("a running Pod that is orphaned", () => {
  it("is reported as released by its Job", async () => {
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

describe("a Node with only heartbeats", () => {
  it("is reported once", async () => {
    const run = begin();
    await run.watching();
    server.put("nodes", node("2026-11-21T08:00:00Z"));
    server.put("nodes", node("2026-11-21T08:05:00Z"));
    server.put("nodes", node("2026-11-21T08:10:00Z"));
    await run.until(() => run.position.resources.nodes?.resourceVersion === 103);
    expect(run.of("NodeObserved")).toHaveLength(1);
  });
});

describe("a namespace that is deleted during the watch", () => {
  it("causes the deletion of all its objects", async () => {
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

describe("a missing permission for one resource", () => {
  it("stops only that stream, and becomes a gap once it is granted", async () => {
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
  it("states once a minute up to when everything was observed", async () => {
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

/** A figure once it changes no more: what would go on has had every occasion. */
async function atRest(read: () => number): Promise<number> {
  let value = read();
  for (let turns = 0; turns < 200; turns += 1) {
    await settled();
    if (read() === value) continue;
    value = read();
    turns = 0;
  }
  return value;
}

describe("a capture without a reader", () => {
  it("reads nothing, so that the server waits", async () => {
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
    expect(await atRest(() => server.unsentBytes("pods"))).toBeGreaterThan(10_000_000);
    stopper.abort();
    await captured.return(undefined);
  });
});
