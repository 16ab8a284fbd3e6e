import { ShapedText } from "../state/shaped-text.tsx";
import { spanText } from "../text/span-text.ts";
import type { Freshness } from "./cluster-freshness.ts";

/** Freshness as text, colour and shape. The lag uses the cluster's own clock, so it also shows a wrong clock. */
export function FreshnessBadge({ freshness }: { readonly freshness: Freshness }) {
  switch (freshness.kind) {
    case "fresh":
      return <ShapedText like="Complete">Fresh, lag {spanText(freshness.lagMillis)}</ShapedText>;
    case "notReporting":
      return <ShapedText like="Failed">Not reporting for {spanText(freshness.lagMillis)}</ShapedText>;
    case "notWatched":
      return <ShapedText like="Pending">Imported, not watched</ShapedText>;
  }
}
