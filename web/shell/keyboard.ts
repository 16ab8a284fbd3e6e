import { refresh } from "../api/live.ts";
import { helpIsOpen } from "./help-dialog.tsx";
import { goTo, route } from "./location.ts";
import { VIEW_KEYS } from "./navigation.tsx";
import { nextTheme } from "./theme.ts";

/** Keys that work in every view. They are ignored in input fields, and together with a modifier key. */
export function startKeyboard(): void {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isField(event.target)) return leaveField(event);
    if (document.querySelector("dialog[open]") !== null) return;
    if (handleKey(event.key)) event.preventDefault();
  });
}

function handleKey(key: string): boolean {
  const view = VIEW_KEYS.get(key);
  if (view !== undefined) {
    goTo({ view, path: [], parameters: {} });
    return true;
  }
  switch (key) {
    case "/":
      return focusOn("[data-filter], [data-filter-fold]");
    case "j":
    case "k":
      return focusOn(".entry[tabindex='0'], tr[tabindex='0']");
    case "?":
      helpIsOpen.value = true;
      return true;
    case "t":
      nextTheme();
      return true;
    case "r":
      refresh();
      return true;
    case "u":
      return goUp();
  }
  return false;
}

function focusOn(selector: string): boolean {
  const found = [...document.querySelectorAll<HTMLElement>(selector)].find((element) => element.checkVisibility());
  found?.focus();
  return found !== undefined;
}

function goUp(): boolean {
  if (route.value.path.length === 0) return false;
  history.back();
  return true;
}

function leaveField({ key, target }: KeyboardEvent): void {
  if (key === "Escape" && target instanceof HTMLElement) target.blur();
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
}
