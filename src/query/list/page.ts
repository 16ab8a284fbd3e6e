import { decodeCursor, encodeCursor } from "./cursor.ts";

export type Paged<Item> =
  | { readonly outcome: "listed"; readonly items: readonly Item[]; readonly nextCursor?: string }
  | { readonly outcome: "badCursor"; readonly problem: string };

export interface PageQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A place in a list that is ordered by these fields. */
export type Place = readonly (string | number)[];

/** One page of a list that is in order of `placeOf`; the cursor is of this question and no other. */
export function pageOfItems<Item>(
  items: readonly Item[],
  question: unknown,
  { limit, cursor }: PageQuery,
  placeOf: (item: Item) => Place,
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

/** Where a page begins: strictly after the place its cursor holds. */
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
