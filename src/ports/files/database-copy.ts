/** A complete copy of a database file, or why there is none. */
export type DatabaseCopy =
  | { readonly outcome: "copied"; readonly bytes: number; readonly stream: ReadableStream<Uint8Array> }
  /** A copy would take the room that the database needs. */
  | { readonly outcome: "noSpace"; readonly neededBytes: number; readonly freeBytes: number };
