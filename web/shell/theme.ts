import { effect, signal } from "@preact/signals";

/** `system` follows the operating system. */
export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "outlive.theme";

export const theme = signal<Theme>(THEMES.find((name) => name === localStorage.getItem(KEY)) ?? "system");

export function startTheme(): void {
  effect(() => {
    document.documentElement.dataset["theme"] = theme.value;
    localStorage.setItem(KEY, theme.value);
  });
}

export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? "system";
}
