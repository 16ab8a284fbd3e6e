import { decodeCursor, encodeCursor } from "./cursor.ts";

export type Paged<Item> =
  | {
      readonly outcome: "listed";
      readonly items: readonly Item[];
      readonly nextCursor?: string;
    }
  | { readonly outcome: "badCursor"; readonly problem: string };

export interface PageQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A position in a list that is sorted by these fields. */
export type Place = readonly (string | number)[];

/** A sorted list from which pages are taken. */
export interface PagedList<Item> {
  /** In ascending order of `placeOf`. */
  readonly items: readonly Item[];
  readonly placeOf: (item: Item) => Place;
  /** Identifies the query: a cursor is only valid for the query that it came from. */
  readonly question: unknown;
}

/** One page of a list. */
export function pageOfItems<Item>(
  { items, placeOf, question }: PagedList<Item>,
  { limit, cursor }: PageQuery,
): Paged<Item> {
  const start = startOfPage(question, cursor);
  if (start.outcome === "badCursor") return start;
  const { after } = start;
  const rest = after === undefined ? items : items.filter((item) => comparePlaces(placeOf(item), after) > 0);
  const page = rest.slice(0, limit);
  const last = rest.length > limit ? page.at(-1) : undefined;
  return {
    outcome: "listed",
    items: page,
    ...(last !== undefined && { nextCursor: encodeCursor(question, placeOf(last)) }),
  };
}

export type PageStart =
  | { readonly outcome: "starts"; readonly after: Place | undefined }
  | { readonly outcome: "badCursor"; readonly problem: string };

/** Where a page begins: strictly after the position in its cursor. */
export function startOfPage(question: unknown, cursor: string | undefined): PageStart {
  if (cursor === undefined) return { outcome: "starts", after: undefined };
  const decoded = decodeCursor(question, cursor, readPlace);
  return decoded.outcome === "decoded"
    ? { outcome: "starts", after: decoded.position }
    : { outcome: "badCursor", problem: decoded.problem };
}

export function comparePlaces(a: Place, b: Place): number {
  for (const [index, field] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (field !== other) return field < other ? -1 : 1;
  }
  return a.length - b.length;
}

function readPlace(fields: readonly unknown[]): Place | undefined {
  const place = fields.filter((field) => typeof field === "string" || typeof field === "number");
  return place.length === fields.length && place.length > 0 ? place : undefined;
}
