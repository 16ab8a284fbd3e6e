import { type Side } from "../../../src/explain/compare/compared-field.ts";
import { jobSide } from "../../../src/explain/compare/job-side.ts";
import type { JobImages } from "../../../src/explain/compare/job-images.ts";
import { PodTraitSearch } from "../../../src/explain/compare/pod-traits.ts";
import { deriveRecord, recordRules } from "../../../src/explain/derived-job.ts";
import { presentJob } from "../../../src/explain/present-job.ts";
import type { Fact, GapRecorded, JobCreated, NodeObserved } from "../../../src/job/model/fact.ts";
import type { JobSpec } from "../../../src/job/model/job-spec.ts";
import { Story } from "./story.ts";

const DAY = 86_400;
const CRON_JOB = { kind: "CronJob", name: "nightly", uid: "cron-1" };

export interface NightlyRun {
  readonly name?: string;
  /** @default CronJob nightly; `null`: none */
  readonly owner?: JobCreated["owner"] | null;
  readonly ended?: "Complete" | "Failed";
  readonly spec?: Partial<JobSpec>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly requests?: Readonly<Record<string, string>>;
  readonly node?: string;
  /** Hash of the image of container work. */
  readonly image?: string;
  readonly imageDigest?: string;
  /** How long its Pod ran. */
  readonly seconds?: number;
}

const USUAL = {
  owner: CRON_JOB,
  ended: "Complete",
  seconds: 60,
  node: "node-a",
  requests: { cpu: "500m", memory: "536870912" },
} as const;

/** The run of day `day`: one Pod, which starts after five seconds and ends after a minute. */
export function nightlyRun(day: number, run: NightlyRun = {}): Story {
  const { name = `nightly-${day}`, owner, ended, seconds, node, requests, image, imageDigest } = { ...USUAL, ...run };
  const story = new Story(`${name}-uid-${day}`);
  story.after(day * DAY);
  const labels = { app: "billing", "job-name": name, ...run.labels };
  story.jobCreated({ backoffLimit: 0, ...run.spec }, { name, labels, createdAt: story.now, ...(owner && { owner }) });
  if (image !== undefined) story.jobSpecified({}, 1, { images: [{ container: "work", image }] });
  story.jobReported({ startTime: story.now });
  story.after(5);
  story.podCreated("a");
  story.podStarted("a", node);
  story.podReserved("a", requests);
  story.after(seconds);
  const status = { startTime: story.now - 5_000 };
  const ran = imageDigest === undefined ? {} : { imageDigest };
  if (ended === "Complete") {
    story.containerEnded("a", 0, seconds, ran);
    story.podTerminated("a", "Succeeded");
    story.jobFinished("Complete", undefined, status);
  } else {
    story.containerEnded("a", 137, seconds, { reason: "OOMKilled", ...ran });
    story.podTerminated("a", "Failed");
    story.jobFinished("Failed", "BackoffLimitExceeded", status);
  }
  return story;
}

export function factsOfRuns(...stories: readonly Story[]): readonly Fact[] {
  return stories.flatMap(({ facts }) => facts);
}

/** A gap of all resources from second `from` to second `to` of the first day. */
export function gapBetween(from: number, to: number): GapRecorded {
  const story = new Story();
  story.after(to);
  story.jobTracked();
  const [fact] = story.facts;
  if (fact === undefined) throw new Error("The story has a fact.");
  const { epoch, resourceVersion, at } = fact;
  const about = { gapId: `gap-${from}`, from: story.second(from), to: story.second(to), resources: [], reason: "test" };
  return { kind: "GapRecorded", epoch, resourceVersion, at, ...about };
}

/** A log without images. */
const NO_IMAGES: JobImages = { images: new Map(), digests: new Map() };

/** The story's Job as a side of a comparison. */
export function sideOf(story: Story, nodes: readonly NodeObserved[] = [], images = NO_IMAGES): Side {
  const { record, now } = story;
  const labelled = new Map(
    nodes.map((fact) => [fact.node, { node: fact.node, stands: [], deleted: [], labelled: [fact] }]),
  );
  const clusterContext = { ...story.clusterContext, nodes: labelled };
  const derived = deriveRecord(record, { clusterContext, now });
  const search = new PodTraitSearch({ job: record.job, clusterContext, rules: recordRules(record, clusterContext) });
  for (const pod of record.pods.values()) search.visit(pod);
  return jobSide({ derived, answer: presentJob(derived, { cluster: "east" }), traits: search.found(), images });
}
