import type { WhyAnswer } from "../../src/query/job/explain-job.ts";
import { ClusterText } from "../text/cluster-text.tsx";

type Links = NonNullable<WhyAnswer["logs"]>;

/** Links to the logs of Pods. `short` leaves out the name of the Pod. */
export function LogLinks({ links, short = false }: { readonly links: Links; readonly short?: boolean }) {
  if (links.length === 0) return null;
  return (
    <ul class="log-links">
      {links.map(({ pod, container, name, url }) => (
        <li key={url}>
          <a href={url} target="_blank" rel="noopener noreferrer">
            {short ? name : `Logs of ${pod} in ${name}`}
          </a>
          {container === undefined ? null : (
            <>
              {" "}
              <ClusterText text={container} />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
