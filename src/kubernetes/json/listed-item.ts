import { isObject, type JsonObject, textOf } from "./json-field.ts";

/** The kind of a list's items. A plain `List` has none: its items name their kinds. */
export interface ListKind {
  readonly kind: string;
  readonly apiVersion: string | undefined;
}

/** The kind of the items of `list`, from its own kind: the items of a `PodList` are Pods. */
export function itemKindOf(list: JsonObject): ListKind | undefined {
  const kind = textOf(list["kind"]);
  if (kind === undefined || kind === "List" || !kind.endsWith("List")) return undefined;
  return { kind: kind.slice(0, -"List".length), apiVersion: textOf(list["apiVersion"]) };
}

/** The field with the items of a list: `events` and `logEvents` in answers and messages of CloudWatch Logs. */
export const ITEM_FIELDS = ["items", "events", "logEvents"] as const;

/** The items of a list; `undefined` where the object is none. */
export function listItemsOf(object: JsonObject): readonly unknown[] | undefined {
  for (const field of ITEM_FIELDS) {
    const items: unknown = object[field];
    if (Array.isArray(items)) return items as readonly unknown[];
  }
  return undefined;
}

/** Items of typed lists have neither kind nor apiVersion: only the list has both. */
export function lacksKind(item: unknown): item is JsonObject {
  return isObject(item) && item["kind"] === undefined && item["object"] === undefined;
}

export function withKind(item: unknown, listKind: ListKind | undefined): unknown {
  if (listKind === undefined || !lacksKind(item)) return item;
  return {
    ...item,
    kind: listKind.kind,
    ...(listKind.apiVersion !== undefined && { apiVersion: listKind.apiVersion }),
  };
}
