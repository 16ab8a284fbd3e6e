import { effect, signal } from "@preact/signals";

/** How many new entries need attention; shown on the tab. */
export const badge = signal(0);

/** The view's part of the tab's title. */
export const viewTitle = signal<string | undefined>(undefined);

export function startBadge(): void {
  effect(() => {
    if (viewTitle.value !== undefined) document.title = tabTitle(viewTitle.value, badge.value);
  });
  effect(() => {
    const icon = document.querySelector<HTMLLinkElement>("link[rel='icon']");
    // A data: URL is not allowed by the page's policy.
    icon?.setAttribute("href", badge.value > 0 ? "icon-alert.svg" : "icon.svg");
  });
}

export function tabTitle(view: string, count: number): string {
  return `${count > 0 ? `(${count}) ` : ""}${view} · Outlive`;
}
