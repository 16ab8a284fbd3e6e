import type { ComponentChildren } from "preact";
import type { Live } from "../api/live.ts";
import { FailureNotice } from "./failure-notice.tsx";

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
