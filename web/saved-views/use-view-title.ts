import { route } from "../shell/location.ts";
import { useTitle } from "../shell/use-title.ts";
import { shownText } from "../text/shown-text.ts";
import { viewName } from "./view-name.ts";

/** Sets the title of the tab to the name of a shared view, or to the view's own. */
export function useViewTitle(title: string): void {
  useTitle(shownText(viewName(route.value) ?? title));
}
