import { createReadStream } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Fact, isJobFact } from "../../src/job/model/fact.ts";
import { captureCluster } from "../../src/kubernetes/watch/capture.ts";
import type { Capture } from "../../src/kubernetes/watch/capture-state.ts";
import type { CaptureEvent } from "../../src/kubernetes/watch/capture-event.ts";
import { openKubeconfig } from "../../src/kubernetes/connection/kubeconfig-connection.ts";
import { OwnerMemory } from "../../src/kubernetes/translate/memory/owner-memory.ts";
import type { Position } from "../../src/kubernetes/watch/position.ts";
import { readRecording } from "../../src/kubernetes/recording/recording.ts";
import { translate } from "../../src/kubernetes/translate/translate.ts";
import { kindOf, RESOURCE_KINDS, type WatchedResource } from "../../src/kubernetes/connection/watched-resource.ts";
import { answersOf, foldFacts } from "../../src/query/job/fold-facts.ts";
import { systemClock } from "../../src/ports/runtime/clock.ts";
import { Observed } from "../support/running/observed.ts";
import { findControlPlanes, RealCluster, type Release } from "../support/kubernetes/real-cluster.ts";

const LATER = Date.parse("2100-01-01T00:00:00Z");
const MINUTES = 60_000;
const BUILT_IN = RESOURCE_KINDS.flatMap(({ resource, isCustom }) => (isCustom ? [] : [resource]));

/** A capture of a real cluster that is in progress, and its results so far. */
class RunningCapture extends Observed {
  readonly captures: Capture[] = [];
  readonly news: CaptureEvent[] = [];
  readonly #stopper = new AbortController();
  readonly #ended: Promise<void>;

  constructor(kubeconfig: string, from?: Position) {
    super();
    const steps = captureCluster(openKubeconfig({ kind: "kubeconfig", file: kubeconfig }), {
      clock: systemClock,
      random: Math.random,
      signal: this.#stopper.signal,
      report: (news) => {
        if (news.kind !== "heard") this.news.push(news);
        this.changed();
      },
      ...(from !== undefined && { from }),
    });
    this.#ended = this.#collect(steps);
  }

  get facts(): readonly Fact[] {
    return this.captures.flatMap(({ facts }) => facts);
  }

  get position(): Position {
    return this.captures.at(-1)?.position ?? expect.fail("nothing was captured");
  }

  get gaps(): readonly string[] {
    return this.facts.flatMap((fact) => (fact.kind === "GapRecorded" ? fact.resources : []));
  }

  /** Resolves once every stream is open of what each cluster serves. */
  watching(): Promise<void> {
    return this.until(() => {
      const open = new Set<string>();
      for (const news of this.news) {
        if (news.kind === "watching") open.add(news.resource);
        else if (news.kind === "relisting") open.delete(news.resource);
      }
      return BUILT_IN.every((resource) => open.has(resource));
    });
  }

  /** Resolves once `resource` was found silent. */
  silent(resource: WatchedResource): Promise<void> {
    return this.until(() => this.news.some((news) => news.kind === "stalled" && news.resource === resource));
  }

  hasJob(name: string): Promise<void> {
    return this.until(() => this.facts.some((fact) => fact.kind === "JobCreated" && fact.name === name));
  }

  async stop(): Promise<void> {
    this.#stopper.abort();
    await this.#ended;
  }

  async #collect(steps: AsyncGenerator<Capture>): Promise<void> {
    for await (const capture of steps) {
      this.captures.push(capture);
      this.changed();
    }
  }
}

async function factsOf(recording: string): Promise<readonly Fact[]> {
  const owners = new OwnerMemory(10_000, { keepsDeleted: true });
  const facts: Fact[] = [];
  for await (const recorded of readRecording(createReadStream(recording))) {
    if (!("event" in recorded)) throw new Error(recorded.problem);
    const translated = translate(recorded.event, { jobsOfPod: owners.jobsOf });
    if (translated.outcome !== "translated") continue;
    owners.remember(translated.facts);
    facts.push(...translated.facts);
  }
  return facts;
}

/**
 * Removes the times of field managers, from which the last observation of an object follows: the other recorder leaves
 * them out.
 */
const OBSERVED_AT = /"observedAt":"[^"]*"/g;

/** The answers that follow from facts, byte by byte. */
async function answers(facts: readonly Fact[]): Promise<readonly string[]> {
  const folded = await foldFacts(once(facts));
  return [...answersOf(folded, { cluster: "real", now: LATER, pods: true })].map((answer) =>
    JSON.stringify(answer).replaceAll(OBSERVED_AT, ""),
  );
}

async function* once(facts: readonly Fact[]): AsyncGenerator<readonly Fact[]> {
  yield facts;
}

/** What the recorder of the tools can have seen: its Jobs and its Nodes' stands, up to when it stopped. */
function asRecorded(captured: readonly Fact[], recorded: readonly Fact[]): readonly Fact[] {
  const jobs = new Set(recorded.filter(isJobFact).map(({ jobUid }) => jobUid));
  const stands = new Set(recorded.map(standOf));
  const last = Math.max(...recorded.map(({ resourceVersion }) => resourceVersion));
  return captured.filter((fact) => {
    if (fact.kind === "ClusterObserved" || fact.resourceVersion > last) return false;
    return isJobFact(fact) ? jobs.has(fact.jobUid) : stands.has(standOf(fact));
  });
}

/** The Node and its Ready state that a fact reports; "" for other facts. */
function standOf(fact: Fact): string {
  return fact.kind === "NodeObserved" ? `${fact.nodeUid} ${fact.ready} ${fact.since}` : "";
}

async function createJob(kubeconfig: string, name: string): Promise<void> {
  const job = {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name },
    spec: { suspend: true, template: { spec: { restartPolicy: "Never", containers: [{ name: "work", image: "w" }] } } },
  };
  const { signal } = new AbortController();
  const connection = openKubeconfig({ kind: "kubeconfig", file: kubeconfig });
  const path = "/apis/batch/v1/namespaces/default/jobs";
  const response = await connection.send("POST", path, { json: JSON.stringify(job), signal });
  expect(response.status).toBe(201);
}

const releases: readonly (readonly [Release, readonly string[]])[] = [
  ["newest", ["indexed", "ttl"]],
  ["current", ["indexed", "ttl"]],
  ["old", ["kubelet-restart-old"]],
];

describe.each(releases)("a real control plane (%s)", (release, scenarios) => {
  const home = findControlPlanes(release);
  describe.skipIf(home === undefined)("that is captured", () => {
    let cluster: RealCluster;
    let capture: RunningCapture;
    let kubeconfig: string;

    beforeAll(async () => {
      cluster = await RealCluster.start(release, home ?? "");
      kubeconfig = cluster.kubeconfig;
      capture = new RunningCapture(kubeconfig);
      await capture.watching();
    }, 3 * MINUTES);
    afterAll(async () => {
      await capture.stop();
      await cluster.stop();
    }, MINUTES);

    it.each(scenarios)(
      "comes to the answers that another recorder's recording of %s comes to",
      { timeout: 4 * MINUTES },
      async (scenario) => {
        const recorded = await factsOf(await cluster.play(scenario));
        const last = Math.max(...recorded.filter(isJobFact).map(({ resourceVersion }) => resourceVersion));
        await capture.until(() => {
          const { jobs, pods } = capture.position.resources;
          return Math.max(jobs?.resourceVersion ?? 0, pods?.resourceVersion ?? 0) >= last;
        });
        const own = asRecorded(capture.facts, recorded);
        expect(await answers(own)).toEqual(await answers(recorded));
        expect(capture.gaps).toEqual([]);
      },
    );

    it("is gone on with after a compaction of etcd, without a gap", { timeout: MINUTES }, async () => {
      await cluster.compact();
      await createJob(kubeconfig, "after-compaction");
      await capture.hasJob("after-compaction");
      expect(capture.gaps).toEqual([]);
    });

    it("is gone on with by another process, without a gap", { timeout: MINUTES }, async () => {
      const { position } = capture;
      await capture.stop();
      await createJob(kubeconfig, "in-between");
      capture = new RunningCapture(kubeconfig, position);
      await capture.hasJob("in-between");
      await capture.watching();
      expect(capture.gaps).toEqual([]);
    });

    it(
      "is gone on with when its API server stood still for longer than silence is believed",
      {
        timeout: 3 * MINUTES,
      },
      async () => {
        cluster.signal("kube-apiserver", "SIGSTOP");
        await Promise.all([capture.silent("jobs"), capture.silent("pods")]);
        cluster.signal("kube-apiserver", "SIGCONT");
        await createJob(kubeconfig, "after-standstill");
        await capture.hasJob("after-standstill");
        expect(capture.gaps).toEqual([]);
      },
    );

    it(
      "is seen again after its API server was killed: what happened meanwhile is told, or is in a gap",
      {
        timeout: 3 * MINUTES,
      },
      async () => {
        await createJob(kubeconfig, "before-restart");
        await capture.hasJob("before-restart");
        cluster.signal("kube-apiserver", "SIGKILL");
        await capture.until(() => capture.news.filter(({ kind }) => kind === "problem").length >= 5);
        await cluster.startAgain();
        await createJob(kubeconfig, "after-restart");
        await capture.hasJob("after-restart");
        const relisted = capture.news.flatMap((news) => (news.kind === "relisting" ? [news.resource] : []));
        const blind = relisted.filter((resource) => resource !== "events" && !kindOf(resource).isOptional);
        await capture.until(() => blind.every((resource) => capture.gaps.includes(resource)));
        expect(capture.position.epoch).toBe(0);
      },
    );
  });
});
