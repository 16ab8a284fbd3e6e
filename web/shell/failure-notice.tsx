import type { Failed } from "../api/api-result.ts";
import { refresh } from "../api/live.ts";
import { shownText } from "../text/shown-text.ts";

/** Why there is no answer. The API's own message says what to do. */
export function FailureNotice({ failure, isView = false }: { readonly failure: Failed; readonly isView?: boolean }) {
  const title = failure.outcome === "refused" ? shownText(failure.title) : "No answer";
  return (
    <div class="empty" role="alert">
      {isView ? <h1>{title}</h1> : <h2>{title}</h2>}
      <p class="breaks">{shownText(failure.detail)}</p>
      <p>
        <button type="button" onClick={refresh}>
          Retry
        </button>
      </p>
    </div>
  );
}
