import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { importFacts } from "../../../src/log/import-facts.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { isJobFact } from "../../../src/job/model/fact.ts";
import { canonical } from "../../../src/job/model/canonical.ts";
import { decodeClusterName, type JobUid } from "../../../src/job/model/ids.ts";
import { type Instant, parseInstant } from "../../../src/job/model/instant.ts";
import { OwnerMemory } from "../../../src/kubernetes/translate/memory/owner-memory.ts";
import { readRecording } from "../../../src/kubernetes/recording/recording.ts";
import { translate } from "../../../src/kubernetes/translate/translate.ts";
import { projectSegments } from "../../../src/projection/project-segments.ts";
import { readJob } from "../../../src/projection/job-state/read-job.ts";
import { loggedFacts, shownFrom } from "../../../src/query/job/logged-facts.ts";
import { createReadStream } from "node:fs";
import { MemoryJobStore } from "../../support/stores/memory-job-store.ts";
import { MemoryLog } from "../../support/stores/memory-log.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { RECORDINGS_BESIDE } from "../../support/recordings/real-recordings.ts";
import { skipWithout } from "../../support/running/skip-without.ts";

const SHARED = new URL("../../../../shared/", import.meta.url).pathname;
const RECORDINGS = [
  "recordings/deadline.ndjson",
  "recordings/suspend-resume.ndjson",
  "recordings/ttl.ndjson",
  "recordings/duplicate-execution.ndjson",
  "recordings/failure-policy.ndjson",
  "recordings/kubelet-restart.ndjson",
  "recordings/phantom-running.ndjson",
  "recordings/indexed.ndjson.gz",
  "recordings/kubelet-restart-old.ndjson",
  "recordings/mixed-2000.ndjson.gz",
  "recordings/pod-gc-ate-success.ndjson.gz",
  "recordings/pod-gc-current.ndjson.gz",
  "recordings-node/containerd-restart.ndjson",
  "recordings-node/oom.ndjson",
  "recordings-node/plain-old-node.ndjson",
  "recordings-node/deadlines.ndjson",
  "recordings-node/images.ndjson.gz",
  "recordings-node/init-containers.ndjson.gz",
  "recordings-node/kubelet-restart-node.ndjson.gz",
  "recordings-node/node-pressure.ndjson",
  "recordings-node/node-silent.ndjson",
  "recordings-node/preemption.ndjson",
  "recordings-node/unschedulable.ndjson",
  "recordings-node/user-deletes-node.ndjson.gz",
];
const absent = RECORDINGS.filter((name) => !existsSync(SHARED + name));
const CLUSTER = decodeClusterName("east") ?? raise("east is a cluster name");
/** How long an exporter keeps a segment open: what arrived in it is shown when it is sealed. */
const WINDOW_MILLIS = 250;

const untested = `as-of answers against arrival times: ${absent.join(", ")}`;

describe.skipIf(skipWithout(absent.length === 0, { ...RECORDINGS_BESIDE, untested }))(
  "a recording with arrival times",
  () => {
    it.each(RECORDINGS)(
      "%s never shows a fact before it arrived, and shows it once its segment is sealed",
      async (name) => {
        const delays = await delaysOf(await arrivedFacts(name));
        expect(delays.filter(({ millis }) => millis < 0 || millis > WINDOW_MILLIS)).toEqual([]);
        expect(delays.length).toBeGreaterThan(0);
      },
    );

    it.each(RECORDINGS.filter((name) => !LARGE.has(name)))(
      "%s never shows a fact before it arrived if the exporter's clock is a minute behind",
      async (name) => {
        const delays = await delaysOf(await arrivedFacts(name), { behindMillis: 60_000 });
        expect(delays.filter(({ millis }) => millis < 0)).toEqual([]);
      },
    );
  },
);
/** Their Jobs are alike: a second import shows nothing more. */
const LARGE = new Set([
  "recordings/mixed-2000.ndjson.gz",
  "recordings/pod-gc-ate-success.ndjson.gz",
  "recordings/pod-gc-current.ndjson.gz",
]);

interface Delay {
  readonly fact: string;
  /** From the fact's arrival until it is shown. */
  readonly millis: number;
}

async function delaysOf(arrivals: readonly Arrival[], { behindMillis = 0 } = {}): Promise<readonly Delay[]> {
  const ofExporter = arrivals.map(({ facts, receivedAt }) => ({ facts, receivedAt: receivedAt - behindMillis }));
  const shown = await importTimed(ofExporter);
  return [...firstArrivals(arrivals)].flatMap(([fact, arrivedAt]) => {
    const at = shown.get(fact);
    return at === undefined ? [] : [{ fact, millis: at - arrivedAt }];
  });
}

interface Arrival {
  readonly facts: readonly Fact[];
  readonly receivedAt: Instant;
}

/** The facts of a recording, each event with the arrival time that lies beside the recording. */
async function arrivedFacts(name: string): Promise<readonly Arrival[]> {
  const times = JSON.parse(readFileSync(SHARED + name.replace(/\.ndjson(\.gz)?$/, ".times.json"), "utf8")) as {
    began: string;
    ms: number[];
  };
  const began = parseInstant(times.began) ?? raise("the times file names its beginning");
  const owners = new OwnerMemory(50_000, { keepsDeleted: true });
  const arrivals: Arrival[] = [];
  for await (const recorded of readRecording(createReadStream(SHARED + name))) {
    if (!("event" in recorded)) continue;
    const translated = translate(recorded.event, { jobsOfPod: owners.jobsOf });
    if (translated.outcome !== "translated") continue;
    owners.remember(translated.facts);
    arrivals.push({ facts: translated.facts, receivedAt: began + (times.ms[recorded.line - 1] ?? 0) });
  }
  return ofSomeJobs(arrivals);
}

/** The Jobs of a large recording are alike: at most so many of them are imported. */
const MOST_JOBS = 250;

function ofSomeJobs(arrivals: readonly Arrival[]): readonly Arrival[] {
  const jobs = [...jobsOf(arrivals)];
  const step = Math.max(1, Math.ceil(jobs.length / MOST_JOBS));
  const some = new Set(jobs.filter((_, index) => index % step === 0));
  return arrivals.map(({ facts, receivedAt }) => ({
    facts: facts.filter((fact) => !isJobFact(fact) || some.has(fact.jobUid)),
    receivedAt,
  }));
}

/** From when on each fact of a Job is shown after an import, by the fact's canonical text. */
async function importTimed(arrivals: readonly Arrival[]): Promise<ReadonlyMap<string, Instant>> {
  const stores = { jobs: new MemoryJobStore(), log: new MemoryLog(), meta: new MemoryMetaStore() };
  let receivedAt: Instant | undefined;
  const feed = async function* (): AsyncGenerator<readonly Fact[]> {
    for (const arrival of arrivals) {
      receivedAt = arrival.receivedAt;
      yield arrival.facts;
    }
  };
  const ports = {
    ...stores,
    project: (items: Parameters<typeof projectSegments>[1]) => projectSegments(stores, items, RETRY),
    atOnce: (work: () => Promise<void>) => work(),
  };
  await importFacts(ports, feed(), { cluster: CLUSTER, now: Date.now(), receivedAt: () => receivedAt });
  const shown = new Map<string, Instant>();
  for (const jobUid of jobsOf(arrivals)) {
    const view = await readJob(stores.jobs, { cluster: CLUSTER, jobUid });
    if (view === undefined) continue;
    for await (const dated of loggedFacts({ log: stores.log, view })) {
      const text = canonical(dated.fact);
      shown.set(text, Math.min(shownFrom(dated), shown.get(text) ?? Infinity));
    }
  }
  return shown;
}
const RETRY = { attempts: 1, pause: async () => {} };

function jobsOf(arrivals: readonly Arrival[]): ReadonlySet<JobUid> {
  return new Set(arrivals.flatMap(({ facts }) => facts.filter(isJobFact).map(({ jobUid }) => jobUid)));
}

function firstArrivals(arrivals: readonly Arrival[]): ReadonlyMap<string, Instant> {
  const first = new Map<string, Instant>();
  for (const { facts, receivedAt } of arrivals) {
    for (const fact of facts) {
      const text = canonical(fact);
      if (!first.has(text)) first.set(text, receivedAt);
    }
  }
  return first;
}

function raise(message: string): never {
  throw new Error(message);
}
