import { signal } from "@preact/signals";

/** A view of the list that the reader gave a name; it stays in this browser. */
export interface SavedView {
  readonly name: string;
  readonly link: string;
}

const KEY = "outlive.views";

export const savedViews = signal<readonly SavedView[]>(readViews());

export function saveView(view: SavedView): void {
  keep([...savedViews.value.filter(({ name }) => name !== view.name), view]);
}

export function forgetView(name: string): void {
  keep(savedViews.value.filter((view) => view.name !== name));
}

function keep(views: readonly SavedView[]): void {
  savedViews.value = views;
  localStorage.setItem(KEY, JSON.stringify(views));
}

/** What another release of the page wrote, or the reader's own hands, is left alone where it is not a list of views. */
function readViews(): readonly SavedView[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(read) ? read.filter(isView) : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is SavedView {
  return (
    typeof value === "object" &&
    value !== null &&
    "name" in value &&
    typeof value.name === "string" &&
    "link" in value &&
    typeof value.link === "string" &&
    value.link.startsWith("#/")
  );
}
