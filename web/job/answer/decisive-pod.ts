import type { Attempt, Finding, JobAnswer, PodRef } from "../../../src/explain/answer-document.ts";

/** The Pod whose logs a reader needs first, and what it is to the Job. */
export interface DecisivePod {
  readonly is: "cause" | "waiting" | "finding" | "running" | "last";
  readonly pod: Pick<PodRef, "uid" | "name" | "node">;
  /** Absent while the Pods load, and if it is not among those that were read. */
  readonly attempt?: Attempt;
}

type Decided = Pick<JobAnswer, "verdict" | "cause" | "waiting" | "findings">;

/**
 * The Pod that decided. Of a Job that ended without success, it is a Pod of the cause; of a Job in progress, the Pod
 * that it waits for; else the first Pod of a finding. `undefined` for a success with nothing to explain.
 */
export function decisivePod(job: Decided, attempts: readonly Attempt[]): DecisivePod | undefined {
  const candidates = candidatesOf(job, attempts).filter(({ pod }) => pod !== undefined);
  const [first] = candidates;
  if (first?.pod === undefined) return undefined;
  const { is, pod } = first;
  const attempt = attempts.find(({ uid }) => uid === pod.uid);
  return { is, pod, ...(attempt !== undefined && { attempt }) };
}

interface Candidate {
  readonly is: DecisivePod["is"];
  readonly pod: PodRef | undefined;
}

function candidatesOf(job: Decided, attempts: readonly Attempt[]): readonly Candidate[] {
  const cause: Candidate = { is: "cause", pod: podOfCause(job) };
  const found = job.findings.map((finding) => podOfFinding(finding, attempts)).find((pod) => pod !== undefined);
  const finding: Candidate = { is: "finding", pod: found };
  const last: Candidate = { is: "last", pod: latest(attempts.filter(hasRun)) };
  switch (job.verdict.state) {
    case "Failed":
    case "Unknown":
    case "Deleted":
      return [cause, finding, last];
    case "Pending":
    case "Running":
    case "Suspended":
      return [
        { is: "waiting", pod: job.waiting?.pods?.[0] },
        cause,
        finding,
        { is: "running", pod: latest(attempts.filter(({ outcome }) => outcome === "Active")) },
      ];
    case "Complete":
      return [finding, cause];
  }
}

/** The last Pod of the cause: it reached the limit. If there are more than the answer names, the first one. */
function podOfCause({ cause }: Decided): PodRef | undefined {
  const { pods = [], attempts = 0 } = cause ?? {};
  return attempts > pods.length ? pods[0] : pods.at(-1);
}

/** The first Pod that the evidence is about: of a lost success, the Pod that had succeeded. */
function podOfFinding(finding: Finding, attempts: readonly Attempt[]): PodRef | undefined {
  const proof = finding.evidence.find(({ object = "" }) => object.startsWith("pod/"))?.object?.slice("pod/".length);
  return attempts.find(({ name }) => name === proof) ?? finding.pods?.[0];
}

function latest(attempts: readonly Attempt[]): Attempt | undefined {
  return attempts.reduce<Attempt | undefined>(
    (last, one) => (last === undefined || one.createdAt >= last.createdAt ? one : last),
    undefined,
  );
}

/** Whether a container of the Pod ran, so that there are logs. */
export function hasRun({ startedAt, containers }: Attempt): boolean {
  return startedAt !== undefined || containers.length > 0;
}
