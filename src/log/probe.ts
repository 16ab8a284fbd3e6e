import { createHash } from "node:crypto";
import type { JobFact, Stamp } from "../job/model/fact.ts";
import { type ClusterName, decodeClusterName, decodeJobUid, type JobUid } from "../job/model/ids.ts";
import { type Instant, utcDay } from "../job/model/instant.ts";
import type { JobSpec } from "../job/model/job-spec.ts";
import { decodeResourceVersion } from "../job/model/order.ts";
import { sealSegment } from "../segment/seal-segment.ts";
import type { SealedSegment, Segment } from "../segment/segment.ts";
import { PROBE_CLUSTER } from "../ports/deployment/limits.ts";

/** A segment that checks a deployment, and what to look for afterwards. */
export interface Probe {
  readonly sealed: SealedSegment;
  readonly job: {
    readonly cluster: ClusterName;
    readonly namespace: string;
    readonly name: string;
    readonly jobUid: JobUid;
  };
  /** The Job's `reported.resourceVersion` after the probe was projected; later probes have higher ones. */
  readonly resourceVersion: number;
}

const SPEC: JobSpec = {
  parallelism: 0,
  completions: 0,
  completionMode: "NonIndexed",
  backoffLimit: 0,
  suspend: false,
  restartPolicy: "Never",
};

/**
 * Seals a probe. All probes of a day are about one finished Job in a cluster that no list shows. They leave one Job
 * state, which expires like others, and one small log item. All probes of a second are the same segment.
 */
export function sealProbe(at: Instant): Probe {
  const now = Math.floor(at / SECOND_MILLIS) * SECOND_MILLIS;
  const cluster = must(decodeClusterName(PROBE_CLUSTER));
  const jobUid = must(decodeJobUid(`probe-${utcDay(now)}`));
  const job = { cluster, namespace: "probe", name: "probe", jobUid };
  // Milliseconds since 1970 increase from probe to probe, as resourceVersions do.
  const resourceVersion = must(decodeResourceVersion(String(now)));
  const session = createHash("sha256").update(String(now)).digest("hex").slice(0, 16);
  const facts = factsOf(job, { epoch: 0, resourceVersion, at: now });
  return { sealed: sealSegment({ cluster, sealedAt: now, session, sequence: 0, facts }), job, resourceVersion };
}

/** How old a probe may be. `outlive doctor` waits for less than a minute. */
const MAX_AGE_MILLIS = 10 * 60_000;
const SECOND_MILLIS = 1000;

/**
 * Why a segment of the probes' cluster cannot be accepted; `undefined` where it can. Any principal may send one, so
 * only a freshly sealed probe is accepted: at most one log item per second.
 */
export function probeProblem(segment: Segment, now: Instant): string | undefined {
  if (segment.cluster !== PROBE_CLUSTER) return undefined;
  const isNew = segment.sealedAt >= now - MAX_AGE_MILLIS;
  if (isNew && sealSegment(segment).sha256 === sealProbe(segment.sealedAt).sealed.sha256) return undefined;
  return (
    `The segment names cluster ${PROBE_CLUSTER}, which has only new probes of "outlive doctor". ` +
    "Use the version of outlive that is deployed, and run it again."
  );
}

function factsOf({ jobUid, namespace, name }: Probe["job"], stamp: Stamp): readonly JobFact[] {
  const createdAt = stamp.at;
  const about = { ...stamp, jobUid };
  const condition = { type: "Complete", status: "True", lastTransitionAt: createdAt };
  const { parallelism, completions, suspend } = SPEC;
  const mutable = { parallelism, suspend, ...(completions !== undefined && { completions }) };
  const status = { conditions: [condition], startTime: createdAt, completionTime: createdAt };
  return [
    { ...about, kind: "JobCreated", namespace, name, createdAt, labels: {} },
    { ...about, kind: "JobSpecified", generation: 1, spec: SPEC },
    { ...about, kind: "JobReported", generation: 1, mutable, status },
    { ...about, kind: "JobFinished", condition },
  ];
}

function must<Value>(decoded: Value | undefined): Value {
  if (decoded === undefined) {
    throw new RangeError(
      "Cannot create the facts of a probe: the clock is before 1970. Set the clock of this machine.",
    );
  }
  return decoded;
}
