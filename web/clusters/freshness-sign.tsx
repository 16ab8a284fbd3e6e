import { StateShape } from "../state/state-shape.tsx";
import { spanText } from "../text/span-text.ts";
import type { Freshness } from "./cluster-freshness.ts";

/** Freshness as text, colour and shape. The lag is by the cluster's own clock, so a clock that is wrong shows here too. */
export function FreshnessSign({ freshness }: { readonly freshness: Freshness }) {
  switch (freshness.kind) {
    case "fresh":
      return (
        <span class="state s-complete">
          <StateShape state="Complete" />
          Fresh, lag {spanText(freshness.lagMillis)}
        </span>
      );
    case "silent":
      return (
        <span class="state s-failed">
          <StateShape state="Failed" />
          Silent for {spanText(freshness.lagMillis)}
        </span>
      );
    case "notWatched":
      return (
        <span class="state s-pending">
          <StateShape state="Pending" />
          Imported, not watched
        </span>
      );
  }
}
