import { createHash } from "node:crypto";
import { canonical } from "../../job/model/canonical.ts";

/**
 * A cursor contains a position and a hash of its query, but no filter and no grant. It is not signed: a forged cursor
 * only gives access to what its reader may read anyway.
 */
export function encodeCursor(query: unknown, position: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify([VERSION, markOf(query), ...position])).toString("base64url");
}

export type DecodedCursor<Position> =
  | { readonly outcome: "decoded"; readonly position: Position }
  | { readonly outcome: "refused"; readonly problem: string };

/** Decodes a cursor of this query. `read` turns its fields into a position, or returns `undefined`. */
export function decodeCursor<Position>(
  query: unknown,
  cursor: string,
  read: (fields: readonly unknown[]) => Position | undefined,
): DecodedCursor<Position> {
  const [version, mark, ...fields] = fieldsOf(cursor) ?? [];
  if (version !== VERSION || typeof mark !== "string") return { outcome: "refused", problem: NOT_A_CURSOR };
  if (mark !== markOf(query)) return { outcome: "refused", problem: OF_ANOTHER_QUERY };
  const position = read(fields);
  return position === undefined ? { outcome: "refused", problem: NOT_A_CURSOR } : { outcome: "decoded", position };
}

const VERSION = 1;
/** A cursor of changes contains a position for each cluster, with some hundred characters each. */
const MAX_CURSOR_LENGTH = 4096;
const MARK_LENGTH = 16;
const NOT_A_CURSOR =
  "Invalid cursor. Pass `nextCursor` of the previous page unchanged, or omit the cursor to begin again.";
const OF_ANOTHER_QUERY =
  "The cursor is from another query. Use the same filters as for the previous page, or omit the cursor to begin again.";

function markOf(query: unknown): string {
  return createHash("sha256").update(canonical(query)).digest("base64url").slice(0, MARK_LENGTH);
}

function fieldsOf(cursor: string): readonly unknown[] | undefined {
  if (cursor.length > MAX_CURSOR_LENGTH || !/^[A-Za-z0-9_-]+$/.test(cursor)) return undefined;
  try {
    const fields: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    return Array.isArray(fields) ? fields : undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
