import type { ReadonlySignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { PageConfig } from "../../src/http/page/page-config.ts";
import { hasToken, session, signOut } from "../ask/session.ts";
import { HelpDialog, helpIsOpen } from "./help-dialog.tsx";
import { Icon } from "./icon.tsx";
import { LiveSign } from "./live-sign.tsx";
import { place } from "./location.ts";
import { Navigation } from "./navigation.tsx";
import { linkTo } from "./place.ts";
import { SignIn } from "./sign-in.tsx";
import { StaleBanner } from "./stale-banner.tsx";
import { nextTheme, theme } from "./theme.ts";
import { CurrentView } from "./current-view.tsx";

export function App({ config }: { readonly config: ReadonlySignal<PageConfig | undefined> }) {
  const main = useRef<HTMLElement>(null);
  const { view, path } = place.value;
  const shown = [view, ...path].join("/");
  useNewView(shown);
  const asksWho = session.value !== "open";
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the content
      </a>
      <header class="top">
        <a class="brand" href={linkTo("jobs")}>
          <img src="icon.svg" alt="" width="20" height="20" />
          Outlive
        </a>
        <Navigation />
        <div class="tools">
          <LiveSign />
          <button type="button" class="bare" onClick={nextTheme} aria-label={`Colours: ${theme.value}. Change them`}>
            <Icon name="theme" />
          </button>
          <button type="button" class="bare" onClick={() => (helpIsOpen.value = true)} aria-label="Help: keys">
            <Icon name="help" />
          </button>
          {hasToken() ? (
            <button type="button" class="bare" onClick={signOut}>
              Sign out
            </button>
          ) : null}
        </div>
      </header>
      <main id="main" tabIndex={-1} ref={main}>
        <StaleBanner />
        {asksWho ? <SignIn way={config.value?.signIn} /> : <CurrentView key={shown} />}
      </main>
      <HelpDialog />
    </>
  );
}

/** A new view begins at its top, and a screen reader is told of it by the title. */
function useNewView(shown: string): void {
  useEffect(() => {
    scrollTo(0, 0);
  }, [shown]);
}
