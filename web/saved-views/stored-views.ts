import { signal } from "@preact/signals";

/** A named view. It is stored in this browser. */
export interface SavedView {
  readonly name: string;
  readonly link: string;
}

const KEY = "outlive.views";

export const savedViews = signal<readonly SavedView[]>(readViews());

export function saveView(view: SavedView): void {
  store([...savedViews.value.filter(({ name }) => name !== view.name), view]);
}

export function deleteView(name: string): void {
  store(savedViews.value.filter((view) => view.name !== name));
}

function store(views: readonly SavedView[]): void {
  savedViews.value = views;
  localStorage.setItem(KEY, JSON.stringify(views));
}

/** Ignores stored data that is not a list of views, for example from another release. */
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
