import type { Finding } from "../../src/explain/answer-document.ts";
import { ClusterText } from "../text/cluster-text.tsx";
import { number } from "../text/plural.ts";

/** The Pods of a finding, and how many more there are. */
export function PodList({ finding: { pods = [], podCount = pods.length } }: { readonly finding: Finding }) {
  if (pods.length === 0) return null;
  return (
    <ul class="pods-named" aria-label="Pods">
      {pods.map(({ uid, name, node }) => (
        <li key={uid} class="tag mono">
          <ClusterText text={name} />{" "}
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
