import type { JobImages } from "../../explain/compare/job-images.ts";
import { type Fact, isJobFact, isPodFact } from "../../job/model/fact.ts";
import type { LogKey } from "../../ports/log.ts";
import { decodeSegment } from "../../segment/decode-segment.ts";
import type { LoadedJob } from "../job/load-job.ts";

/** The most segments of a Job that are read: the earliest ones, which have its spec. */
const MOST_SEGMENTS = 24;

/** The images of a Job and of the containers that ran. Only the log has them (docs/decisions/0077). */
export async function readImages({ log, view }: Pick<LoadedJob, "log" | "view">): Promise<JobImages> {
  const { keys, isPart } = await firstKeys(view.logKeys());
  const items = await Promise.all(keys.map((key) => log.read(key)));
  const found = imagesIn(
    items.flatMap((item) => factsIn(item?.bytes)),
    view.job,
  );
  const unread = items.includes(undefined) ? "expired" : isPart ? "truncated" : undefined;
  return { ...found, ...(unread !== undefined && { unread }) };
}

async function firstKeys(all: AsyncIterable<LogKey>) {
  const keys: LogKey[] = [];
  for await (const key of all) {
    if (keys.length === MOST_SEGMENTS) return { keys, isPart: true };
    keys.push(key);
  }
  return { keys, isPart: false };
}

function factsIn(bytes: Uint8Array | undefined): readonly Fact[] {
  const decoded = bytes === undefined ? undefined : decodeSegment(bytes);
  return decoded?.outcome === "decoded" ? decoded.segment.facts : [];
}

function imagesIn(
  facts: readonly Fact[],
  { uid, created }: LoadedJob["view"]["job"],
): Pick<JobImages, "images" | "digests"> {
  const ofJob = facts.filter(isJobFact).filter(({ jobUid }) => jobUid === uid);
  // Pods of other namespaces may name the Job as their owner, but do not belong to it.
  const foreign = new Set(
    ofJob.flatMap((fact) =>
      fact.kind === "PodCreated" && created !== undefined && fact.namespace !== created.namespace ? [fact.podUid] : [],
    ),
  );
  const images = new Map<string, string>();
  const digests = new Map<string, Set<string>>();
  for (const fact of ofJob) {
    if (fact.kind === "JobSpecified") for (const one of fact.images ?? []) images.set(one.container, one.image);
    if (!isPodFact(fact) || foreign.has(fact.podUid) || fact.kind !== "ContainerEnded") continue;
    const { container, imageDigest } = fact;
    if (imageDigest === undefined) continue;
    digests.set(container, (digests.get(container) ?? new Set()).add(imageDigest));
  }
  return { images, digests };
}
