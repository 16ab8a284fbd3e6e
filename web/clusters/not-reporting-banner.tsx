import { Banner } from "../shell/banner.tsx";
import { now } from "../shell/clock.ts";
import { linkTo } from "../shell/route.ts";
import { plural } from "../text/plural.ts";
import { shownText } from "../text/shown-text.ts";
import { spanText } from "../text/span-text.ts";
import { freshnessOf } from "./cluster-freshness.ts";
import { useClusters } from "./use-clusters.ts";

/** The banner names so many; Clusters has all of them, the longest silence first. */
const MOST = 3;

/** Lists the clusters that stopped reporting. What is shown about them may be outdated. */
export function NotReportingBanner({ cluster }: { readonly cluster?: string | undefined }) {
  const live = useClusters();
  if (live.phase !== "answered") return null;
  const notReporting = live.answer.items.flatMap((one) => {
    const freshness = freshnessOf(one, now.value);
    return freshness.kind === "notReporting" && (cluster === undefined || cluster === one.name)
      ? [`${shownText(one.name)} (for ${spanText(freshness.lagMillis)})`]
      : [];
  });
  if (notReporting.length === 0) return null;
  return (
    <Banner tone="bad" title={`${plural(notReporting.length, "cluster")} not reporting:`}>
      {notReporting.slice(0, MOST).join(", ")}
      {notReporting.length > MOST ? ` and ${notReporting.length - MOST} more` : ""}. The shown data is that old. Check
      whether the exporter runs and may send. See <a href={linkTo("clusters")}>Clusters</a>.
    </Banner>
  );
}
