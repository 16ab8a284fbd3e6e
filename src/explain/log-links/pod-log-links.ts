import type { ClusterContext } from "../../job/model/cluster-context.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { JobObject } from "../../job/model/job-record.ts";
import { firstEnd } from "../../job/model/outcome.ts";
import { endedAt } from "../../job/model/pod-end.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import { podName } from "../../job/model/evidence.ts";
import { hasRunContainer } from "../../job/cause/never-ran.ts";
import type { LogLink } from "../answer-document.ts";
import { fillLogLink, type LogLinkTemplate } from "./log-link-template.ts";

/** A place where logs of a cluster can be read. */
export interface LogPlace {
  /** "Grafana". */
  readonly name: string;
  readonly template: LogLinkTemplate;
}

/** Where the logs of a cluster can be read. */
export interface ClusterLogs {
  readonly cluster: string;
  readonly places: readonly LogPlace[];
}

/** What links are derived from besides their Pod. */
export interface LogLinkContext {
  readonly job: JobObject;
  readonly clusterContext: Pick<ClusterContext, "heardAt">;
  readonly logs: ClusterLogs;
}

/** Time to add at both ends, because the clocks of Nodes and of the API server differ by seconds. */
const MARGIN_MILLIS = 60_000;

/** The addresses of a Pod's logs; none if no container of it ran. */
export function logLinksOf(pod: PodRecord, { job, clusterContext, logs }: LogLinkContext): readonly LogLink[] {
  if (logs.places.length === 0 || !hasRunContainer(pod)) return [];
  const values = {
    cluster: logs.cluster,
    namespace: pod.created?.namespace ?? job.created?.namespace,
    job: job.created?.name,
    pod: podName(pod),
    podUid: pod.uid,
    node: pod.scheduled?.node,
    ...windowOf(pod, clusterContext.heardAt),
  };
  return logs.places.flatMap(({ name, template }) => {
    const containers = template.placeholders.includes("container") ? containersOf(pod) : [undefined];
    return containers.flatMap((container) => {
      const url = fillLogLink(template, { ...values, container });
      if (url === undefined) return [];
      return [{ name, ...(container !== undefined && { container }), url }];
    });
  });
}

function containersOf({ created, ended }: PodRecord): readonly string[] {
  const known = [...(ended?.values() ?? [])].map(({ container }) => container);
  return [...new Set([...(created?.containers ?? []), ...known])];
}

/** From the creation of a Pod to its end, or to the last data from its cluster. */
function windowOf(pod: PodRecord, heardAt: Instant | undefined): { readonly from: Instant; readonly to: Instant } {
  const seen = [pod.started, pod.observed, firstEnd(pod)].flatMap((fact) => (fact === undefined ? [] : [fact.at]));
  const from = pod.created?.createdAt ?? Math.min(...seen);
  const to = endOf(pod) ?? Math.max(heardAt ?? from, ...seen);
  return { from: from - MARGIN_MILLIS, to: Math.max(from, to) + MARGIN_MILLIS };
}

function endOf(pod: PodRecord): Instant | undefined {
  return firstEnd(pod) === undefined ? (pod.deleted ?? pod.vanished)?.at : endedAt(pod);
}
