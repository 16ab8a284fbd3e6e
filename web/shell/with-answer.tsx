import type { ComponentChildren } from "preact";
import type { Live } from "../ask/live.ts";
import { FailureNotice } from "./failure-notice.tsx";

/** Shows an answer once there is one; until then that it is waited for, and where it failed, why. */
export function WithAnswer<Answer>({
  live,
  what,
  children,
}: {
  readonly live: Live<Answer>;
  /** What is waited for: "the Jobs". */
  readonly what: string;
  readonly children: (answer: Answer) => ComponentChildren;
}) {
  switch (live.phase) {
    case "asking":
      return (
        <p class="empty" role="status">
          <span class="waiting">Asking for {what}…</span>
        </p>
      );
    case "failed":
      return <FailureNotice failure={live.failure} />;
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
