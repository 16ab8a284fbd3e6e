import type { Attempt, ContainerRun } from "../../explain/answer-document.ts";
import type { Instant } from "../../job/model/instant.ts";
import { podErrorType } from "./result.ts";
import { deletionEvents, eventAt } from "./span-events.ts";
import type { Span } from "./span.ts";
import { spanIdOf } from "./span-ids.ts";
import { spanTimes } from "./span-times.ts";

export interface PodPlace {
  readonly cluster: string;
  /** The span of its Job. */
  readonly parentSpanId: string;
  /** The end of the Job's span: a Pod whose end is not known ended by then. */
  readonly jobEndAt: Instant;
}

/** The span of a Pod, then one for each known end of its containers. */
export function podSpans(pod: Attempt, { cluster, parentSpanId, jobEndAt }: PodPlace): readonly Span[] {
  const { estimated, ...times } = spanTimes(
    [{ at: pod.createdAt }],
    [{ at: pod.finishedAt }, { at: pod.deletedAt, isEstimate: true }, { at: jobEndAt, isEstimate: true }],
  );
  const spanId = spanIdOf(cluster, "pod", [pod.uid]);
  const error = pod.outcome === "Failed" ? (pod.cause ?? pod.deletedBy?.cause ?? pod.reason ?? "Failed") : undefined;
  const span: Span = {
    spanId,
    parentSpanId,
    name: "pod",
    kind: "internal",
    ...times,
    attributes: { ...podAttributes(pod), ...estimated },
    events: [...eventAt("outlive.scheduled", pod.scheduledAt, {}), ...deletionEvents(pod)],
    ...(error !== undefined && { error }),
  };
  return [span, ...pod.containers.map((run) => containerSpan(run, { cluster, pod, podSpan: span }))];
}

function podAttributes(pod: Attempt): Span["attributes"] {
  return {
    "k8s.pod.name": pod.name,
    "k8s.pod.uid": pod.uid,
    "k8s.node.name": pod.node,
    "process.exit.code": pod.exitCode,
    "error.type": podErrorType(pod),
    "outlive.pod.index": pod.index,
    "outlive.pod.outcome": pod.outcome,
    "outlive.pod.counted_as": pod.countedAs,
    "outlive.pod.restarts": pod.restarts === 0 ? undefined : pod.restarts,
    "outlive.cause.category": pod.category,
    "outlive.cause.message": pod.cause,
    "outlive.logs.url": pod.logs?.[0]?.url,
  };
}

interface ContainerPlace {
  readonly cluster: string;
  readonly pod: Attempt;
  readonly podSpan: Span;
}

function containerSpan(run: ContainerRun, { cluster, pod, podSpan }: ContainerPlace): Span {
  const { name, exitCode, reason, signal, restartCount } = run;
  const { estimated, ...times } = spanTimes(
    [{ at: run.startedAt }, { at: run.finishedAt, isEstimate: true }, { at: podSpan.startAt, isEstimate: true }],
    [{ at: run.finishedAt }, { at: podSpan.endAt, isEstimate: true }],
  );
  const hasFailed = exitCode !== undefined && exitCode !== 0;
  return {
    spanId: spanIdOf(cluster, "container", [pod.uid, name, restartCount]),
    parentSpanId: podSpan.spanId,
    name: `container ${name}`,
    kind: "internal",
    ...times,
    attributes: {
      "k8s.pod.name": pod.name,
      "k8s.container.name": name,
      "k8s.container.restart_count": restartCount,
      "k8s.container.status.state": "terminated",
      "k8s.container.status.reason": reason,
      "process.exit.code": exitCode,
      "error.type": hasFailed ? (reason ?? "Error") : undefined,
      "outlive.exit.signal": signal,
      ...estimated,
    },
    events: [],
    ...(hasFailed && { error: `${reason ?? "Error"}: exit code ${exitCode}` }),
  };
}
