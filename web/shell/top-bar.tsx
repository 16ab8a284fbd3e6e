import { hasToken, signOut } from "../api/session.ts";
import { helpIsOpen } from "./help-dialog.tsx";
import { Icon } from "./icon.tsx";
import { LiveIndicator } from "./live-indicator.tsx";
import { Navigation } from "./navigation.tsx";
import { linkTo } from "./route.ts";
import { nextTheme, theme } from "./theme.ts";

/** Navigation and tools, above every view. */
export function TopBar() {
  return (
    <header class="top">
      <a class="brand" href={linkTo("jobs")}>
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
        {hasToken() ? (
          <button type="button" class="bare" onClick={signOut}>
            Sign out
          </button>
        ) : null}
      </div>
    </header>
  );
}
