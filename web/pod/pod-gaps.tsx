import type { ClusterGap } from "../../src/query/clusters/gaps.ts";
import { Banner } from "../shell/banner.tsx";
import { Moment } from "../text/moment.tsx";
import { plural } from "../text/plural.ts";
import { shownText } from "../text/shown-text.ts";

/** The monitoring gaps in the life of a Pod; nothing if there are none. */
export function PodGaps({ gaps }: { readonly gaps: readonly ClusterGap[] }) {
  if (gaps.length === 0) return null;
  return (
    <Banner tone="warn" title="Events may be missing.">
      {plural(gaps.length, "monitoring gap")} during the life of the Pod:
      <ul>
        {gaps.map(({ from, to, reason }) => (
          <li key={`${from} ${reason}`}>
            <Moment at={from} /> to <Moment at={to} />: {shownText(reason)}
          </li>
        ))}
      </ul>
    </Banner>
  );
}
