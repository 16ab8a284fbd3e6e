import { ShapedText } from "../state/shaped-text.tsx";
import { spanText } from "../text/span-text.ts";
import type { Freshness } from "./cluster-freshness.ts";

/** Freshness as text, colour and shape. The lag is by the cluster's own clock, so a clock that is wrong shows here too. */
export function FreshnessSign({ freshness }: { readonly freshness: Freshness }) {
  switch (freshness.kind) {
    case "fresh":
      return <ShapedText like="Complete">Fresh, lag {spanText(freshness.lagMillis)}</ShapedText>;
    case "silent":
      return <ShapedText like="Failed">Silent for {spanText(freshness.lagMillis)}</ShapedText>;
    case "notWatched":
      return <ShapedText like="Pending">Imported, not watched</ShapedText>;
  }
}
