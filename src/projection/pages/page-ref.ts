import type { SortKey } from "./sort-key.ts";

/** Identifies a page by its content and describes it, so that it need not be read. */
export interface PageRef {
  /** SHA-256, lower-case hex. */
  readonly hash: string;
  /** The sort key of the last item under it. */
  readonly sortKey: SortKey;
  /** The number of items under it, at any depth. */
  readonly count: number;
  /** The number of entries in the page itself. */
  readonly width: number;
  /** One mark per item, if items are looked up by id: a lookup reads only leaves with a matching mark. */
  readonly marks?: Uint32Array;
}

const VERSION = 1;

/** Encodes an inner page or the top of a tree. Equal refs give equal bytes. */
export function encodeRefs(refs: readonly PageRef[]): Uint8Array {
  const parts = refs.map(encodeRef);
  return Buffer.concat([Buffer.of(VERSION), ...parts]);
}

/** The inverse of {@link encodeRefs}. Throws {@link PageUnreadableError} for other bytes. */
export function decodeRefs(bytes: Uint8Array): readonly PageRef[] {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view[0] !== VERSION) {
    throw new PageUnreadableError(
      `A page of a Job's state has format ${view[0]}, and this version of Outlive reads ${VERSION}.`,
    );
  }
  const refs: PageRef[] = [];
  try {
    for (let offset = 1; offset < view.length;) {
      const { ref, end } = decodeRef(view, offset);
      refs.push(ref);
      offset = end;
    }
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new PageUnreadableError("A page of a Job's state is truncated: it ends in the middle of an entry.", {
      cause,
    });
  }
  return refs;
}

/** A page is missing or damaged. `outlive replay` rebuilds the projection from the log. */
export class PageUnreadableError extends Error {
  override readonly name = "PageUnreadableError";

  /** @param found a sentence that says what is wrong with the page */
  constructor(found: string, options?: ErrorOptions) {
    super(`${found} Rebuild the projection from the log with \`outlive replay\`.`, options);
  }
}

/** Bytes before the id and the marks: hash 32, at 8, count 4, width 4, marks 4, id length 2. */
const FIXED = 54;

function encodeRef({ hash, sortKey, count, width, marks }: PageRef): Buffer {
  const id = Buffer.from(sortKey.id, "utf8");
  const bytes = Buffer.alloc(FIXED + id.length + (marks?.length ?? 0) * 4);
  bytes.write(hash, 0, "hex");
  bytes.writeDoubleBE(sortKey.at, 32);
  bytes.writeUInt32BE(count, 40);
  bytes.writeUInt32BE(width, 44);
  bytes.writeUInt32BE(marks === undefined ? 0 : marks.length + 1, 48);
  bytes.writeUInt16BE(id.length, 52);
  id.copy(bytes, FIXED);
  if (marks !== undefined) bytes.set(bytesOf(marks), FIXED + id.length);
  return bytes;
}

function decodeRef(view: Buffer, offset: number): { readonly ref: PageRef; readonly end: number } {
  const idEnd = offset + FIXED + view.readUInt16BE(offset + 52);
  const marked = view.readUInt32BE(offset + 48);
  const end = idEnd + Math.max(0, marked - 1) * 4;
  if (end > view.length) {
    throw new RangeError(`The reference at byte ${offset} is longer than its page (${view.length} bytes).`);
  }
  const ref = {
    hash: view.toString("hex", offset, offset + 32),
    sortKey: { at: view.readDoubleBE(offset + 32), id: view.toString("utf8", offset + FIXED, idEnd) },
    count: view.readUInt32BE(offset + 40),
    width: view.readUInt32BE(offset + 44),
  };
  return { ref: marked === 0 ? ref : { ...ref, marks: readMarks(view, idEnd, end) }, end };
}

/** Copies all marks at once: there may be a million. They are little-endian, as on every supported machine. */
function readMarks(view: Buffer, begin: number, end: number): Uint32Array {
  return new Uint32Array(Uint8Array.from(view.subarray(begin, end)).buffer);
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
