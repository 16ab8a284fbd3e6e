import type { ComponentChildren } from "preact";
import { type Live, refresh } from "../api/live.ts";
import type { Failed } from "../api/api-result.ts";
import { shownText } from "../text/shown-text.ts";

/** Shows an answer, or that it is loading, or why it failed. */
export function WithLive<Answer>({
  live,
  what,
  isView = false,
  children,
}: {
  readonly live: Live<Answer>;
  /** What is loaded: "the Jobs". */
  readonly what: string;
  /** The whole view depends on this answer, so a placeholder has the view's heading. */
  readonly isView?: boolean;
  readonly children: (answer: Answer) => ComponentChildren;
}) {
  switch (live.phase) {
    case "loading":
      return (
        <div class="empty" role="status">
          {isView ? <h1 class="waiting">Loading {what}…</h1> : <p class="waiting">Loading {what}…</p>}
        </div>
      );
    case "failed":
      return <FailureNotice failure={live.failure} isView={isView} />;
    case "answered":
      return (
        <>
          {live.failure?.outcome === "refused" && live.failure.status < 500 ? (
            <FailureNotice failure={live.failure} />
          ) : null}
          {children(live.answer)}
        </>
      );
  }
}

/** Why there is no answer. The API's own message says what to do. */
function FailureNotice({ failure, isView = false }: { readonly failure: Failed; readonly isView?: boolean }) {
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
