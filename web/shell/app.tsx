import type { ReadonlySignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { PageConfig } from "../../src/http/page/page-config.ts";
import { session } from "../api/session.ts";
import { CurrentView } from "./current-view.tsx";
import { HelpDialog } from "./help-dialog.tsx";
import { route } from "./location.ts";
import { SignIn } from "./sign-in.tsx";
import { TopBar } from "./top-bar.tsx";
import { freshness } from "../api/freshness.ts";
import { refresh } from "../api/live.ts";
import { localTime } from "../text/instant-text.ts";
import { shownText } from "../text/shown-text.ts";
import { TourPlace } from "../tour/tour-place.tsx";
import { Banner } from "./banner.tsx";

export function App({ config }: { readonly config: ReadonlySignal<PageConfig | undefined> }) {
  const main = useRef<HTMLElement>(null);
  const { view, path } = route.value;
  const viewKey = [view, ...path].join("/");
  useScrollToTop(viewKey);
  const needsSignIn = session.value !== "open";
  return (
    <>
      <SkipLink to={main} />
      <TopBar />
      <TourPlace />
      <main id="main" tabIndex={-1} ref={main}>
        <StaleBanner />
        {needsSignIn ? <SignIn way={config.value?.signIn} /> : <CurrentView key={viewKey} />}
      </main>
      <HelpDialog />
    </>
  );
}

function SkipLink({ to }: { readonly to: RefObject<HTMLElement | null> }) {
  const focusMain = (event: Event): void => {
    event.preventDefault();
    to.current?.focus();
  };
  return (
    <a class="skip" href="#main" onClick={focusMain}>
      Skip to the content
    </a>
  );
}

/** A new view starts at its top. Screen readers announce it by the title. */
function useScrollToTop(viewKey: string): void {
  useEffect(() => {
    scrollTo(0, 0);
  }, [viewKey]);
}

/** Shown above every view while the API does not answer. */
function StaleBanner() {
  const { answeredAt, failure } = freshness.value;
  if (failure === undefined || answeredAt === undefined) return null;
  return (
    <Banner tone="bad" title={`This data is from ${localTime(answeredAt)}.`}>
      {shownText(failure.detail)} The page keeps retrying.{" "}
      <button type="button" onClick={refresh}>
        Retry now
      </button>
    </Banner>
  );
}
