import type { Attempt, JobAnswer } from "../../explain/answer-document.ts";
import type { RunAnswer, RunAttemptAnswer } from "../../explain/run/run-document.ts";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import { podSpans } from "./pod-spans.ts";
import { errorOf, OTHER_ERROR, resultOf, stateAttributes } from "./result.ts";
import { resourceOf } from "./run-resource.ts";
import { deletionEvents, findingEvents, queueEvents } from "./span-events.ts";
import type { Attributes, Span, Trace } from "./span.ts";
import { spanIdOf, traceIdOf } from "./span-ids.ts";
import { type Candidate, spanTimes } from "./span-times.ts";

/** A Job of a run, with those of its Pods that the trace shows, by creation. */
export interface TracedJob {
  readonly job: JobAnswer;
  readonly pods: readonly Attempt[];
}

/** What the trace of a run is made of. */
export interface TracedRun {
  /** Absent for a Job on its own, which is the run. */
  readonly run?: RunAnswer | undefined;
  /** By creation. */
  readonly jobs: readonly TracedJob[];
  /** The Jobs and Pods that the trace does not show. */
  readonly omitted: { readonly jobs: number; readonly pods: number };
  /** The page of the run in Outlive. */
  readonly link?: string | undefined;
}

/** The trace of a run: run, attempts, Jobs, Pods, containers. The same answers give the same trace. */
export function traceOf(traced: TracedRun): Trace | undefined {
  const { run, jobs } = traced;
  const [first] = jobs;
  if (run?.uid !== undefined) return traceOfParent({ ...traced, run }, run.uid);
  return first === undefined ? undefined : traceOfJob(traced, first);
}

function traceOfParent({ run, jobs, omitted, link }: TracedRun & { readonly run: RunAnswer }, uid: string): Trace {
  const { cluster } = run;
  const root = runSpan(run, { uid, jobs, omitted });
  const attempts = run.attempts.map((attempt) => attemptSpan(attempt, { cluster, uid, root }));
  const byNumber = new Map(run.attempts.map(({ number }, index) => [number, attempts[index]]));
  const spans = jobs.flatMap((traceable) => {
    const { job, pods } = traceable;
    const parent = byNumber.get(job.run.attempt ?? -1) ?? root;
    const span = jobSpan(traceable, { parentSpanId: parent.spanId, fallbackEnd: root.endAt });
    return [span, ...spansOfPods(job, pods, span)];
  });
  return {
    traceId: traceIdOf(cluster, uid),
    resource: resourceOf({ ...run, uid, link }),
    spans: [root, ...attempts, ...spans],
  };
}

/** The Job is the root. */
function traceOfJob({ omitted, link }: TracedRun, { job, pods }: TracedJob): Trace {
  const { cluster, uid } = job;
  const { spanId: _, ...span } = jobSpan({ job, pods }, { fallbackEnd: 0 });
  const root: Span = {
    ...span,
    spanId: spanIdOf(cluster, "run", [uid]),
    name: runName(job.series?.name, "Job"),
    kind: "server",
    attributes: { ...pipelineAttributes({ ...job, kind: "Job" }), ...span.attributes, ...omittedAttributes(omitted) },
  };
  return {
    traceId: traceIdOf(cluster, uid),
    resource: resourceOf({ ...job, link }),
    spans: [root, ...spansOfPods(job, pods, root)],
  };
}

function spansOfPods({ cluster }: JobAnswer, pods: readonly Attempt[], { spanId, endAt }: Span): readonly Span[] {
  return pods.flatMap((pod) => podSpans(pod, { cluster, parentSpanId: spanId, jobEndAt: endAt }));
}

/** The action, and the series. Without a series, the kind of the run: its name would be another one each time. */
function runName(series: string | undefined, kind: string): string {
  return `${ACTION} ${series ?? kind}`;
}

const ACTION = "RUN";

interface RunParts extends Pick<TracedRun, "jobs" | "omitted"> {
  readonly uid: string;
}

function runSpan(run: RunAnswer, { uid, jobs, omitted }: RunParts): Span {
  const { cluster, kind, series, queue, findings, attempts } = run;
  const firstAttempt = attempts.map(({ startedAt }) => startedAt).find((at) => at !== undefined);
  const { estimated, ...times } = spanTimes(
    [{ at: run.createdAt }, ...[run.startedAt, firstAttempt, jobs[0]?.job.createdAt].map(estimate)],
    [{ at: run.finishedAt }, { at: run.deletedAt }, ...[run.verdict.since, lastEnd(jobs)].map(estimate)],
  );
  const error = errorOf(run);
  return {
    spanId: spanIdOf(cluster, "run", [uid]),
    name: runName(series?.name, kind),
    kind: "server",
    ...times,
    attributes: {
      ...pipelineAttributes(run),
      ...stateAttributes(run),
      "outlive.run.jobs": run.jobs.total,
      "outlive.run.attempts": attempts.length,
      ...omittedAttributes(omitted),
      ...estimated,
    },
    events: [...queueEvents(queue), ...findingEvents(findings, times.endAt), ...deletionEvents(run)],
    ...(error !== undefined && { error }),
  };
}

function estimate(at: Candidate["at"]): Candidate {
  return { at, isEstimate: true };
}

function lastEnd(jobs: readonly TracedJob[]): Instant | undefined {
  const ends = jobs.flatMap(({ job }) => parseInstant(job.finishedAt ?? job.deletedAt) ?? []);
  return ends.length === 0 ? undefined : Math.max(...ends);
}

type Pipeline = Pick<RunAnswer, "kind" | "name" | "externalIds" | "completeness" | "cause"> & {
  readonly verdict: { readonly state: string; readonly reason?: string };
};

function pipelineAttributes(run: Pipeline): Attributes {
  const external = Object.entries(run.externalIds).map(([key, id]) => [`outlive.external_id.${key}`, id] as const);
  return {
    "cicd.pipeline.action.name": ACTION,
    "cicd.pipeline.result": resultOf(run),
    "outlive.run.kind": run.kind,
    "outlive.run.name": run.name,
    "outlive.completeness": run.completeness.level,
    ...Object.fromEntries(external),
  };
}

function omittedAttributes({ jobs, pods }: TracedRun["omitted"]): Attributes {
  return {
    "outlive.omitted_jobs": jobs === 0 ? undefined : jobs,
    "outlive.omitted_pods": pods === 0 ? undefined : pods,
  };
}

interface AttemptPlace {
  readonly cluster: string;
  readonly uid: string;
  readonly root: Span;
}

function attemptSpan(attempt: RunAttemptAnswer, { cluster, uid, root }: AttemptPlace): Span {
  const { number, startedAt, endedAt, state, firstFailure } = attempt;
  const { estimated, ...times } = spanTimes(
    [{ at: startedAt }, estimate(root.startAt)],
    [{ at: endedAt }, estimate(root.endAt)],
  );
  return {
    spanId: spanIdOf(cluster, "attempt", [uid, number]),
    parentSpanId: root.spanId,
    name: "attempt",
    kind: "internal",
    ...times,
    attributes: {
      "outlive.attempt": number,
      "outlive.state": state,
      "error.type": state === "Failed" ? (firstFailure?.category ?? OTHER_ERROR) : undefined,
      ...estimated,
    },
    events: firstFailureEvents(firstFailure),
    ...(state === "Failed" && { error: firstFailure === undefined ? state : `first failure: ${firstFailure.job}` }),
  };
}

function firstFailureEvents(failure: RunAttemptAnswer["firstFailure"]): Span["events"] {
  const at = parseInstant(failure?.at);
  if (failure === undefined || at === undefined) return [];
  const attributes = {
    "k8s.job.name": failure.job,
    "k8s.job.uid": failure.jobUid,
    "k8s.pod.name": failure.pod,
    "process.exit.code": failure.exitCode,
    "error.type": failure.category,
  };
  return [{ name: "outlive.first_failure", at, attributes }];
}

interface JobPlace {
  /** Absent if the Job is the root. */
  readonly parentSpanId?: string;
  /** The end of a Job whose own end is not known. */
  readonly fallbackEnd: Instant;
}

function jobSpan({ job, pods }: TracedJob, { parentSpanId, fallbackEnd }: JobPlace): Span {
  const { cluster, uid, queue, findings } = job;
  const { estimated, ...times } = spanTimes(
    [{ at: job.createdAt }],
    [{ at: job.finishedAt }, { at: job.deletedAt }, ...[job.verdict.since, fallbackEnd].map(estimate)],
  );
  const error = errorOf(job);
  const role = job.owners[0]?.role;
  return {
    spanId: spanIdOf(cluster, "job", [uid]),
    ...(parentSpanId !== undefined && { parentSpanId }),
    name: role === undefined ? "job" : `job ${role}`,
    kind: "internal",
    ...times,
    attributes: {
      "k8s.job.name": job.name,
      "k8s.job.uid": uid,
      ...(parentSpanId !== undefined && taskAttributes(job)),
      ...stateAttributes(job),
      "outlive.job.pods": job.pods.seen,
      "outlive.job.omitted_pods": job.pods.seen > pods.length ? job.pods.seen - pods.length : undefined,
      ...estimated,
    },
    events: [...queueEvents(queue), ...findingEvents(findings, times.endAt), ...deletionEvents(job)],
    ...(error !== undefined && { error }),
  };
}

/** A Job is a task of its run. */
function taskAttributes(job: JobAnswer): Attributes {
  return {
    "cicd.pipeline.task.name": job.owners[0]?.role ?? job.name,
    "cicd.pipeline.task.run.id": job.uid,
    "cicd.pipeline.task.run.result": resultOf(job),
  };
}
