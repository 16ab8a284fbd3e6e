import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CaptureEvent } from "../../../src/kubernetes/watch/capture-event.ts";
import { openKubeconfig } from "../../../src/kubernetes/connection/kubeconfig-connection.ts";
import { recordCluster, type SlimEvent } from "../../../src/kubernetes/recording/record-cluster.ts";
import { FakeApiServer } from "../../support/kubernetes/fake-api-server.ts";
import { ManualClock } from "../../support/running/manual-clock.ts";
import { jobObject, ownedByJob, podObject } from "../../support/kubernetes/watch-objects.ts";

let clock: ManualClock;
let server: FakeApiServer;
const stopper = { current: new AbortController() };

beforeEach(async () => {
  clock = new ManualClock();
  server = await FakeApiServer.open({ clock });
  stopper.current = new AbortController();
});
afterEach(() => server.close());

/** Records until `isEnough`. */
async function record(isEnough: (events: readonly SlimEvent[], news: readonly CaptureEvent[]) => boolean) {
  const events: SlimEvent[] = [];
  const news: CaptureEvent[] = [];
  const end = () => isEnough(events, news) && stopper.current.abort();
  const report = (told: CaptureEvent) => {
    news.push(told);
    end();
  };
  const { signal } = stopper.current;
  const connection = openKubeconfig({ kind: "kubeconfig", file: server.kubeconfig() });
  for await (const some of recordCluster(connection, { clock, random: () => 0, signal, report })) {
    events.push(...some);
    end();
  }
  return { events, news };
}

/** Streams that were cut come back one after the other. */
async function retryAll(): Promise<void> {
  while (!stopper.current.signal.aborted) {
    await clock.armed(500);
    await clock.advance(500);
  }
}

describe("a recording of a cluster", () => {
  it("contains existing Jobs and their Pods as slim ADDED events", async () => {
    server.put("jobs", jobObject());
    server.put("pods", podObject({ spec: { containers: [{ name: "work", env: [{ name: "A", value: "secret" }] }] } }));
    const foreign = { ownerReferences: [ownedByJob({ kind: "ReplicaSet" })], labels: {}, name: "web", uid: "web" };
    server.put("pods", podObject({ metadata: foreign }));
    const { events } = await record((seen) => seen.length >= 2);
    const recorded = events.map(({ type, object }) => `${type} ${String(object["kind"])}`);
    expect(new Set(recorded)).toEqual(new Set(["ADDED Job", "ADDED Pod"]));
    expect(JSON.stringify(events)).not.toContain("secret");
  });

  it("contains the namespaces that have labels or annotations for Outlive", async () => {
    const metadata = { name: "plain", uid: "ns-1", labels: { team: "a" } };
    const marked = { name: "marked", uid: "ns-2", labels: { team: "a", "outlive.dev/notify": "team-a" } };
    server.put("namespaces", { kind: "Namespace", apiVersion: "v1", metadata });
    server.put("namespaces", { kind: "Namespace", apiVersion: "v1", metadata: marked });
    const { events } = await record((seen) => seen.length > 0);
    expect(events.map(({ object }) => object)).toEqual([
      {
        kind: "Namespace",
        apiVersion: "v1",
        metadata: { name: "marked", uid: "ns-2", resourceVersion: "102", labels: { "outlive.dev/notify": "team-a" } },
      },
    ]);
  });

  it("reports a gap, which a recording cannot represent", async () => {
    server.put("jobs", jobObject());
    let isRestarted = false;
    const { news } = await record((_, told) => {
      if (!isRestarted && told.filter(({ kind }) => kind === "watching").length === 5) {
        isRestarted = true;
        server.pass();
        server.restart();
        void retryAll();
      }
      return told.filter(({ kind }) => kind === "gap").length === 4;
    });
    expect(news.filter(({ kind }) => kind === "gap")).toHaveLength(4);
  });
});
