import type { ComponentChildren } from "preact";
import type { Live } from "../ask/live.ts";
import { FailureNotice } from "./failure-notice.tsx";

/** Shows an answer once there is one; until then that it is waited for, and where it failed, why. */
export function WithAnswer<Answer>({
  live,
  what,
  isView = false,
  children,
}: {
  readonly live: Live<Answer>;
  /** What is waited for: "the Jobs". */
  readonly what: string;
  /** The whole view is this answer: what stands in its place has the view's heading. */
  readonly isView?: boolean;
  readonly children: (answer: Answer) => ComponentChildren;
}) {
  switch (live.phase) {
    case "asking":
      return (
        <div class="empty" role="status">
          {isView ? <h1 class="waiting">Asking for {what}…</h1> : <p class="waiting">Asking for {what}…</p>}
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
