import { changeStream } from "../api/changes.ts";
import { freshness } from "../api/freshness.ts";
import { spanText } from "../text/span-text.ts";
import { now } from "./clock.ts";

/** How recent the shown data is; always visible. */
export function LiveIndicator() {
  const { answeredAt, failure } = freshness.value;
  if (answeredAt === undefined) {
    return <span class="live stale">{failure === undefined ? "Loading" : "No answer"}</span>;
  }
  if (failure !== undefined) return <span class="live stale">Stale, {spanText(now.value - answeredAt)} old</span>;
  return changeStream.value === "broken" ? (
    <span class="live stale">Reconnecting</span>
  ) : (
    <span class="live">Live</span>
  );
}
