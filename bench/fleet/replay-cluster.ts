import type { Fact, ClusterObserved } from "../../src/job/model/fact.ts";
import { type ClusterName, decodeClusterName, decodeJobUid } from "../../src/job/model/ids.ts";
import { decodeResourceVersion } from "../../src/job/model/order.ts";
import { DEFAULT_LINGER_MILLIS, SegmentBatcher } from "../../src/kubernetes/delivery/segment-batcher.ts";
import { RESOURCE_KINDS } from "../../src/kubernetes/connection/watched-resource.ts";
import { fieldsOf, type JsonObject } from "../../src/kubernetes/json/json-field.ts";
import { Inventory } from "../../src/kubernetes/watch/inventory.ts";
import { translate } from "../../src/kubernetes/translate/translate.ts";
import { ObservationTranslation } from "../../src/kubernetes/watch/observation-translation.ts";
import type { SealedSegment } from "../../src/segment/segment.ts";
import type { JobKey } from "../../src/ports/jobs.ts";
import { seededRandom } from "../fault-run/seeded-random.ts";
import { CronJobs, type SimulatedCronJob } from "./cron-jobs.ts";
import { eventsOfJob, jobUidOf, type PlannedJob, type TimedEvent } from "./job-template.ts";
import type { SentMessage, SweptJob } from "./deliver-segments.ts";
import { eventsOfJobSet, JOBS_OF_SET } from "./job-sets.ts";
import { NAMESPACES_PER_CLUSTER } from "./reference-fleet.ts";
import { chartMetadata, type LabelCount } from "./series-metadata.ts";
import { BEGINS_AT, LISTED_MS, VirtualTime } from "./virtual-time.ts";

const HEARTBEAT_MS = 60_000;
const NODES = 10;
const CRON_JOB_SHARE = 0.8;
const FAILED_SHARE = 0.01;
/** Log-normal lifetimes: the median, and the standard deviation of the logarithm. */
const LIFETIME = { median: 40_000, sigma: 1.3, least: 2_000, most: 7_200_000 } as const;
/** Shorter than the fleet's hour, so that deletions overlap with creations as in a steady state. */
const TTL_MS = 300_000;
/** A sweep finds a Job that is still live at about this age, and moves it to the list of long-lived ones. */
const SWEPT_AT_MS = 420_000;

export interface ClusterLoad {
  readonly cluster: string;
  /** Jobs per second. */
  readonly rate: number;
  /** How long new Jobs are created. The run ends when all of them are deleted. */
  readonly seconds: number;
  /** @default 1 */
  readonly labels?: LabelCount;
  /** Whether the Jobs that no CronJob creates are in JobSets under Kueue, four each. @default false */
  readonly hasJobSets?: boolean;
  /** When the clock begins. @default always the same instant */
  readonly beginsAt?: number;
}

/** What a cluster sent. */
export interface ClusterRun {
  readonly load: ClusterLoad;
  readonly jobs: number;
  readonly jobSets: number;
  readonly segments: number;
  /** Compressed bytes of all segments. */
  readonly bytes: number;
  readonly facts: number;
}

/**
 * Replays one cluster in virtual time: watch events of its Jobs, CronJobs and their core/v1 Events through the
 * exporter's translation and batcher. Its segments are delivered together with those of other clusters
 * (deliver-segments.ts).
 */
export function replayCluster(load: ClusterLoad): ReplayedCluster {
  const replay = new Replay(load);
  replay.run();
  const { cluster, result: run, sent, swept, cronJobRuns } = replay;
  return { cluster, run, sent, swept, cronJobRuns };
}

/** What a cluster sent, and when. */
export interface ReplayedCluster {
  readonly cluster: ClusterName;
  readonly run: ClusterRun;
  readonly sent: readonly SentMessage[];
  /** When the sweep visits each Job. */
  readonly swept: readonly SweptJob[];
  /** The runs of its CronJobs. */
  readonly cronJobRuns: readonly JobKey[];
}

class Replay {
  readonly sent: SentMessage[] = [];
  readonly #load: ClusterLoad;
  readonly #time: VirtualTime;
  readonly #random: () => number;
  readonly #inventory = new Inventory();
  readonly #translation: ObservationTranslation;
  readonly #batcher: SegmentBatcher<number>;
  readonly #cronJobs: CronJobs;
  readonly #sealed: SealedSegment[] = [];
  /** Jobs that wait for others of their JobSet. */
  readonly #gathered: PlannedJob[] = [];
  #resourceVersion = 1_000;
  readonly cluster: ClusterName;
  readonly swept: SweptJob[] = [];
  readonly cronJobRuns: JobKey[] = [];
  readonly #counts = { jobs: 0, jobSets: 0, segments: 0, bytes: 0, facts: 0 };

  constructor(load: ClusterLoad) {
    this.#load = load;
    this.#time = new VirtualTime(load.beginsAt ?? BEGINS_AT);
    this.#random = seededRandom(Math.round(load.rate * 1_000) + Number(load.cluster.replaceAll(/\D/g, "")));
    this.#translation = new ObservationTranslation({ inventory: this.#inventory, report: rejected });
    const cluster = decodeClusterName(load.cluster);
    if (cluster === undefined) throw new Error(`${load.cluster} is not the name of a cluster.`);
    this.cluster = cluster;
    this.#batcher = new SegmentBatcher<number>({
      cluster,
      session: "0123456789abcdef",
      outbox: { add: (segments) => void this.#sealed.push(...segments), advance: () => undefined },
      clock: this.#time,
      lingerMillis: DEFAULT_LINGER_MILLIS,
      onRejected: (reason) => {
        throw new Error(reason);
      },
    });
    this.#cronJobs = new CronJobs(load.rate * CRON_JOB_SHARE, (number) => `team-${number % NAMESPACES_PER_CLUSTER}`);
  }

  get result(): ClusterRun {
    return { load: this.#load, ...this.#counts };
  }

  run(): void {
    this.#time.at(0, () => this.#list());
    this.#time.at(0, () => this.#beat());
    this.#time.at(LISTED_MS + this.#pauseBetweenJobs(), () => this.#beginJob());
    while (this.#time.step()) this.#deliver();
  }

  #list(): void {
    for (let node = 0; node < NODES; node += 1) this.#observe({ type: "ADDED", object: nodeObject(node) });
    const runs = this.#load.rate * this.#load.seconds * CRON_JOB_SHARE;
    this.#observeAll(this.#cronJobs.takingPart(runs).map((cronJob) => cronJob.observed()));
  }

  #beat(): void {
    const now = this.#time.now();
    const kubeSystemUid = "0f1e2d3c-4b5a-4697-8877-665544332211";
    const stamp = { epoch: 1, resourceVersion: this.#nextVersion(), at: now };
    const beat: ClusterObserved = { ...stamp, kind: "ClusterObserved", kubeSystemUid, serverVersion: "v1.36.3" };
    this.#take([beat]);
    if (this.#time.elapsed() + HEARTBEAT_MS <= this.#load.seconds * 1_000) {
      this.#time.after(HEARTBEAT_MS, () => this.#beat());
    }
  }

  /** Exponential, so that Jobs begin independently of each other. */
  #pauseBetweenJobs(): number {
    return (-Math.log(1 - this.#random()) * 1_000) / this.#load.rate;
  }

  #beginJob(): void {
    if (this.#time.elapsed() > this.#load.seconds * 1_000 + LISTED_MS) {
      for (const job of this.#gathered.splice(0)) this.#begin(job, undefined);
      return;
    }
    this.#counts.jobs += 1;
    const { cronJob, namespace, series, end } = this.#chooseSeries();
    const number = this.#counts.jobs;
    const { cluster, labels } = this.#load;
    const job: PlannedJob = {
      end,
      cluster,
      namespace,
      name: `${series}-${29_000_000 + number}`,
      number,
      lifetime: lifetimeOf(this.#random),
      ttl: TTL_MS,
      ...(cronJob !== undefined && { owner: { name: cronJob.name, uid: cronJob.uid } }),
      ...(labels === 10 && { metadata: chartMetadata({ namespace, series }) }),
    };
    if (this.#load.hasJobSets === true && cronJob === undefined) this.#gather(job);
    else this.#begin(job, cronJob);
    this.#time.after(this.#pauseBetweenJobs(), () => this.#beginJob());
  }

  #begin(job: PlannedJob, cronJob: SimulatedCronJob | undefined): void {
    this.#sweepLater(jobUidOf(job));
    const events = eventsOfJob(job, this.#time.now());
    this.#plan(events);
    if (cronJob !== undefined) this.#planRun(cronJob, job, events);
  }

  /** The fourth Job begins the JobSet. Those that remain at the end begin alone. */
  #gather(job: PlannedJob): void {
    const jobs = this.#gathered;
    jobs.push(job);
    if (jobs.length < JOBS_OF_SET) return;
    this.#counts.jobSets += 1;
    for (const each of jobs) this.#sweepLater(jobUidOf(each));
    this.#plan(eventsOfJobSet({ jobs: jobs.splice(0), number: this.#counts.jobSets }, this.#time.now()));
  }

  /** What the next Job is a run of, and how it ends. */
  #chooseSeries() {
    const [isCron, chosen, fails] = [this.#random() < CRON_JOB_SHARE, this.#random(), this.#random() < FAILED_SHARE];
    const cronJob = isCron ? this.#cronJobs.pick(chosen) : undefined;
    const { namespace, name: series } = cronJob ?? { namespace: `team-${zipf(chosen)}`, name: "import" };
    return { cronJob, namespace, series, end: fails ? "fails" : "completes" } as const;
  }

  #sweepLater(uid: string): void {
    const jobUid = decodeJobUid(uid);
    if (jobUid === undefined) return;
    const at = this.#time.now() + SWEPT_AT_MS;
    this.swept.push({ at, key: { cluster: this.cluster, jobUid } });
  }

  /** The CronJob controller writes right after it created the Job, and after it saw that the Job has finished. */
  #planRun(cronJob: SimulatedCronJob, { name, cluster, number, end }: PlannedJob, events: readonly TimedEvent[]): void {
    const job = { name, uid: jobUidOf({ cluster, number }) };
    const jobUid = decodeJobUid(job.uid);
    if (jobUid !== undefined) this.cronJobRuns.push({ cluster: this.cluster, jobUid });
    this.#time.after(12, () => this.#observeAll(cronJob.began(job, this.#time.now())));
    const finish = events.findLast(({ event }) => event.object["kind"] === "Event" && isEnd(event.object))?.ms ?? 0;
    this.#time.after(finish + 8, () => this.#observeAll(cronJob.finished(job, this.#time.now(), end === "completes")));
  }

  #plan(events: readonly TimedEvent[]): void {
    for (const { ms, event } of events) this.#time.after(ms, () => this.#observe(event));
  }

  #observeAll(events: readonly TimedEvent["event"][]): void {
    for (const event of events) this.#observe(event);
  }

  #observe({ type, object }: TimedEvent["event"]): void {
    const metadata = { ...fieldsOf(object["metadata"]), resourceVersion: String(this.#nextVersion()) };
    const observed = { ...object, metadata } as JsonObject;
    const facts = this.#factsOf({ type, object: observed });
    if (facts !== undefined) this.#take(facts);
  }

  #factsOf(event: TimedEvent["event"]): readonly Fact[] | undefined {
    const { object } = event;
    const resource = RESOURCE_KINDS.find(({ kind }) => kind === object["kind"]);
    if (resource !== undefined) return this.#translation.factsOf(resource, event, 1);
    const translated = translate(event, { epoch: 1 });
    if (translated.outcome !== "translated") throw new Error(`A ${String(object["kind"])} was ${translated.outcome}.`);
    return translated.facts;
  }

  #take(facts: readonly Fact[]): void {
    this.#counts.facts += facts.length;
    this.#batcher.take(facts, this.#time.elapsed());
  }

  #nextVersion() {
    this.#resourceVersion += 1;
    const version = decodeResourceVersion(String(this.#resourceVersion));
    if (version === undefined) throw new Error("The resourceVersion is not a number.");
    return version;
  }

  #deliver(): void {
    for (const { bytes } of this.#sealed.splice(0)) {
      if (this.#time.elapsed() >= LISTED_MS) this.#counts.segments += 1;
      this.#counts.bytes += bytes.length;
      this.sent.push({ at: this.#time.now(), bytes });
    }
  }
}

function rejected(event: object): void {
  throw new Error(`The translation reported ${JSON.stringify(event)}.`);
}

function isEnd(event: JsonObject): boolean {
  return event["reason"] === "Completed" || event["reason"] === "BackoffLimitExceeded";
}

/** A namespace of 30 by a random number in [0, 1): the first has a quarter of the Jobs. */
function zipf(random: number): number {
  const weights = Array.from({ length: NAMESPACES_PER_CLUSTER }, (_, index) => 1 / (index + 1));
  let rest = random * weights.reduce((sum, weight) => sum + weight, 0);
  return weights.findIndex((weight) => (rest -= weight) < 0);
}

function lifetimeOf(random: () => number): number {
  const { median, sigma, least, most } = LIFETIME;
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.min(most, Math.max(least, median * Math.exp(sigma * normal)));
}

function nodeObject(number: number): JsonObject {
  const name = `node-${String.fromCodePoint(97 + number)}`;
  const since = "2026-11-20T08:00:00Z";
  const ready = { type: "Ready", status: "True", reason: "KubeletReady", lastTransitionTime: since };
  return {
    kind: "Node",
    apiVersion: "v1",
    metadata: {
      name,
      uid: `5a000000-0000-4000-8000-00000000000${number}`,
      resourceVersion: "1",
      creationTimestamp: since,
    },
    status: { conditions: [ready] },
  };
}
