import type { Finding } from "../../src/explain/answer-document.ts";
import { type JobName, linkToPod } from "../shell/route.ts";
import { ClusterText } from "../text/cluster-text.tsx";
import { number } from "../text/plural.ts";

export interface PodListProps {
  readonly finding: Finding;
  /** The Job of the Pods, for links to them. */
  readonly job?: JobName | undefined;
}

/** The Pods of a finding, and how many more there are. */
export function PodList({ finding: { pods = [], podCount = pods.length }, job }: PodListProps) {
  if (pods.length === 0) return null;
  return (
    <ul class="pods-named" aria-label="Pods">
      {pods.map(({ uid, name, node }) => (
        <li key={uid} class="tag mono">
          {job === undefined ? (
            <ClusterText text={name} />
          ) : (
            <a href={linkToPod({ ...job, job: job.name, jobUid: job.uid, uid })}>
              <ClusterText text={name} />
            </a>
          )}{" "}
          {node === undefined ? null : (
            <span>
              on <ClusterText text={node} />
            </span>
          )}
        </li>
      ))}
      {podCount > pods.length ? <li class="quiet">and {number(podCount - pods.length)} more</li> : null}
    </ul>
  );
}
