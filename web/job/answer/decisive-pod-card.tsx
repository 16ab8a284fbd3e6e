import type { ComponentChildren } from "preact";
import type { PodLogLink } from "../../../src/explain/answer-document.ts";
import { linkToPod, type JobName } from "../../shell/route.ts";
import { ClusterText } from "../../text/cluster-text.tsx";
import { endOf } from "../attempt-end.ts";
import { LogLinks } from "../log-links.tsx";
import type { DecisivePod } from "./decisive-pod.ts";
import { PodLogs } from "./pod-logs.tsx";

interface DecisivePodCardProps {
  readonly job: JobName & { readonly uid: string };
  readonly decisive: DecisivePod;
  readonly heardAt: string;
  /** The links of the explanation, for a Pod that is not among those that were read. */
  readonly logs: readonly PodLogLink[];
  readonly children?: ComponentChildren;
}

/** The Pod whose logs to read first: where it ran, how it ended, and its logs. */
export function DecisivePodCard({
  job,
  decisive: { is, pod, attempt },
  heardAt,
  logs,
  children,
}: DecisivePodCardProps) {
  const end = attempt === undefined ? "" : endOf(attempt);
  return (
    <div>
      <h3>{TITLES[is]}</h3>
      <p class="breaks">
        <a class="mono" href={linkToPod({ ...job, job: job.name, jobUid: job.uid, uid: pod.uid })}>
          <ClusterText text={pod.name} />
        </a>{" "}
        {end === "" ? null : `${end} `}
        {pod.node === undefined ? null : (
          <span class="quiet">
            on <ClusterText text={pod.node} />
          </span>
        )}
        {children}
      </p>
      {attempt === undefined ? (
        <LogLinks links={logs.filter((link) => link.pod === pod.name)} />
      ) : (
        <PodLogs attempt={attempt} namespace={job.namespace} heardAt={heardAt} />
      )}
    </div>
  );
}

const TITLES: Readonly<Record<DecisivePod["is"], string>> = {
  cause: "Decisive Pod",
  waiting: "Waiting Pod",
  finding: "Affected Pod",
  running: "Running Pod",
  last: "Last Pod",
};
