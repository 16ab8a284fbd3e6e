import type { Failed } from "../ask/asked.ts";
import { askAgain } from "../ask/live.ts";
import { shownText } from "../text/shown-text.ts";

/** Why there is no answer, in the API's own sentence, which says what to do. */
export function FailureNotice({ failure }: { readonly failure: Failed }) {
  return (
    <div class="empty" role="alert">
      <h2>{failure.outcome === "refused" ? shownText(failure.title) : "No answer"}</h2>
      <p class="breaks">{shownText(failure.detail)}</p>
      <p>
        <button type="button" onClick={askAgain}>
          Ask again
        </button>
      </p>
    </div>
  );
}
