import { changeStream } from "../api/changes.ts";
import { freshness } from "../api/freshness.ts";
import { session } from "../api/session.ts";
import { spanText } from "../text/span-text.ts";
import { clusterOfRoute, shownFreshness } from "../clusters/shown-freshness.ts";
import { useClusters } from "../clusters/use-clusters.ts";
import { now } from "./clock.ts";
import { route } from "./location.ts";

/** How recent the shown data is; always visible. An API that answers is not live while a shown cluster is silent. */
export function LiveIndicator() {
  const { answeredAt, failure } = freshness.value;
  if (answeredAt === undefined) {
    return <span class="live stale">{failure === undefined ? "Loading" : "No answer"}</span>;
  }
  if (failure !== undefined) return <span class="live stale">Stale, {spanText(now.value - answeredAt)} old</span>;
  if (changeStream.value === "broken") return <span class="live stale">Reconnecting</span>;
  // Without a sign-in, it must send no request: a late refusal would discard the next token.
  return session.value === "open" ? <ClustersIndicator /> : <span class="live stale">Not signed in</span>;
}

function ClustersIndicator() {
  const clusters = useClusters();
  if (clusters.phase !== "answered") return <span class="live stale">Loading</span>;
  const cluster = clusterOfRoute(route.value);
  const shown = clusters.answer.items.filter(({ name }) => cluster === undefined || name === cluster);
  const { isLive, text } = shownFreshness(shown, now.value);
  return <span class={isLive ? "live" : "live stale"}>{text}</span>;
}
