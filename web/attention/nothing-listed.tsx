import { useClusters } from "../clusters/use-clusters.ts";
import { now } from "../shell/clock.ts";
import { route } from "../shell/location.ts";
import { linkTo } from "../shell/route.ts";
import { localTime } from "../text/instant-text.ts";
import type { AttentionAnswer } from "../../src/query/attention/attention.ts";
import { SPAN_TEXTS, STANDARD_SPAN_TEXT } from "./attention-parameters.ts";
import { checkedText } from "./checked-text.ts";

interface NothingListedProps {
  readonly answer: AttentionAnswer;
  /** When it came. */
  readonly at: number;
}

/** Why the list is empty: what was checked, and up to when. */
export function NothingListed({ answer, at }: NothingListedProps) {
  const clusters = useClusters();
  const { cluster, since = "", ...others } = route.value.parameters;
  const known = clusters.phase === "answered" ? clusters.answer.items : [];
  const shown = known.filter(({ name }) => cluster === undefined || name === cluster);
  const isFiltered = cluster !== undefined || Object.keys(others).length > 0;
  return (
    <div class="empty">
      <h2>{isFiltered || !answer.complete ? "No entry here" : "No Job and no CronJob needs attention"}</h2>
      <p>
        {clusters.phase === "answered" ? `${checkedText(shown, now.value)} ` : null}
        Checked at {localTime(at)}, for this time range: {(SPAN_TEXTS.get(since) ?? STANDARD_SPAN_TEXT).toLowerCase()}.
        {isFiltered ? " Filters apply." : null}
      </p>
      <p>
        {isFiltered ? (
          <>
            <a href={linkTo("attention")}>Remove the filters</a>, or see{" "}
          </>
        ) : (
          "See "
        )}
        <a href={linkTo("jobs")}>all Jobs</a> (key <kbd>2</kbd>).
      </p>
    </div>
  );
}
