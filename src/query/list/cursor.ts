import { createHash } from "node:crypto";
import { canonical } from "../../job/model/canonical.ts";

/**
 * A cursor holds a position and the mark of the question it belongs to, nothing else: no filter, no right.
 * It is not signed: whoever forges one moves within what they may read anyway.
 */
export function encodeCursor(question: unknown, position: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify([VERSION, markOf(question), ...position])).toString("base64url");
}

export type DecodedCursor<Position> =
  | { readonly outcome: "decoded"; readonly position: Position }
  | { readonly outcome: "refused"; readonly problem: string };

/** Reads a cursor of this very question; `read` turns its fields into a position, `undefined` where they are none. */
export function decodeCursor<Position>(
  question: unknown,
  cursor: string,
  read: (fields: readonly unknown[]) => Position | undefined,
): DecodedCursor<Position> {
  const [version, mark, ...fields] = fieldsOf(cursor) ?? [];
  if (version !== VERSION || typeof mark !== "string") return { outcome: "refused", problem: NOT_A_CURSOR };
  if (mark !== markOf(question)) return { outcome: "refused", problem: OF_ANOTHER_QUESTION };
  const position = read(fields);
  return position === undefined ? { outcome: "refused", problem: NOT_A_CURSOR } : { outcome: "decoded", position };
}

const VERSION = 1;
/** A cursor of changes holds a position in the log of each cluster: some hundred characters for each. */
const MAX_CURSOR_LENGTH = 4096;
const MARK_LENGTH = 16;
const NOT_A_CURSOR =
  "The cursor is not one that this API gave out: pass `nextCursor` of the page before as it is, or leave the cursor out to begin again.";
const OF_ANOTHER_QUESTION =
  "The cursor belongs to another question: pass it with the same filters as the page it came from, or leave it out to begin again.";

function markOf(question: unknown): string {
  return createHash("sha256").update(canonical(question)).digest("base64url").slice(0, MARK_LENGTH);
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
