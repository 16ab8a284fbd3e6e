import type { Outcome } from "../../../src/job/model/outcome.ts";
import { number } from "../../text/plural.ts";
import { shownText } from "../../text/shown-text.ts";
import type { Bar } from "./timeline.ts";

/** The count of each colour, and the number of bars that each actor deleted. */
export function TimelineLegend({ bars, gaps }: { readonly bars: readonly Bar[]; readonly gaps: boolean }) {
  const deleters = counted(bars.flatMap(({ deleter }) => deleter ?? []));
  const outcomes = counted(bars.map(({ outcome }) => outcome));
  return (
    <div class="legend">
      {OUTCOMES.flatMap((outcome) => {
        const count = outcomes.get(outcome);
        return count === undefined
          ? []
          : [
              <span key={outcome}>
                <span class={`swatch b-${outcome.toLowerCase()}`} /> {outcome} {number(count)}
              </span>,
            ];
      })}
      {[...deleters].map(([actor, count]) => (
        <span key={actor}>
          ✕ deleted by {shownText(actor)} {number(count)}
        </span>
      ))}
      {gaps ? (
        <span>
          <span class="swatch b-gap" /> not observed; a dashed bar is what Pods report of that time
        </span>
      ) : null}
    </div>
  );
}

const OUTCOMES: readonly Outcome[] = ["Succeeded", "Failed", "Active", "Terminating", "Unknown"];

function counted<Word extends string>(words: readonly Word[]): ReadonlyMap<Word, number> {
  const counts = new Map<Word, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
