import { Banner } from "../shell/banner.tsx";
import { now } from "../shell/clock.ts";
import { linkTo } from "../shell/place.ts";
import { plural } from "../text/plural.ts";
import { shownText } from "../text/shown-text.ts";
import { spanText } from "../text/span-text.ts";
import { freshnessOf } from "./cluster-freshness.ts";
import { useClusters } from "./use-clusters.ts";

/** Says which clusters nothing is heard of: what is shown of them may be long over. */
export function SilentBanner({ cluster }: { readonly cluster?: string | undefined }) {
  const live = useClusters();
  if (live.phase !== "answered") return null;
  const silent = live.answer.items.flatMap((one) => {
    const freshness = freshnessOf(one, now.value);
    return freshness.kind === "silent" && (cluster === undefined || cluster === one.name)
      ? [`${shownText(one.name)} (for ${spanText(freshness.lagMillis)})`]
      : [];
  });
  if (silent.length === 0) return null;
  return (
    <Banner tone="bad" title={`${plural(silent.length, "cluster")} silent:`}>
      {silent.join(", ")}. What is shown of {silent.length === 1 ? "it" : "them"} is as old as that. See whether the
      exporter runs and may send; <a href={linkTo("clusters")}>Clusters</a> has more.
    </Banner>
  );
}
