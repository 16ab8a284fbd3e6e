import { currentToken, session, signOut } from "../api/session.ts";
import { helpIsOpen } from "./help-dialog.tsx";
import { Icon } from "./icon.tsx";
import { Navigation } from "./navigation.tsx";
import { linkTo } from "./route.ts";
import { nextTheme, theme } from "./theme.ts";
import { changeStream } from "../api/changes.ts";
import { freshness } from "../api/freshness.ts";
import { spanText } from "../text/span-text.ts";
import { clusterOfRoute, shownFreshness } from "../clusters/shown-freshness.ts";
import { useClusters } from "../clusters/use-clusters.ts";
import { now } from "./clock.ts";
import { route } from "./location.ts";

/** Navigation and tools, above every view. */
export function TopBar() {
  return (
    <header class="top">
      <a class="brand" href={linkTo("attention")}>
        <img src="icon.svg" alt="" width="20" height="20" />
        Outlive
      </a>
      <Navigation />
      <div class="tools">
        <LiveIndicator />
        <button type="button" class="bare" onClick={nextTheme} aria-label={`Colour theme: ${theme.value}. Change it`}>
          <Icon name="theme" />
        </button>
        <button type="button" class="bare" onClick={() => (helpIsOpen.value = true)} aria-label="Keyboard help">
          <Icon name="help" />
        </button>
        {currentToken() !== undefined ? (
          <button type="button" class="bare" onClick={signOut}>
            Sign out
          </button>
        ) : null}
      </div>
    </header>
  );
}

/** How recent the shown data is; always visible. An API that answers is not live while a shown cluster is silent. */
function LiveIndicator() {
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
