import { BrokenGzipError, gunzipped } from "./gunzip.ts";
import { itemKindOf, listItemsOf, withKind } from "../json/listed-item.ts";
import { type LinePiece, LineSplitter } from "../json/line-splitter.ts";
import { ObjectScanner, parseObject } from "../json/object-scanner.ts";
import type { JsonObject } from "../json/json-field.ts";
import type { Recorded } from "../json/recorded.ts";
import { withoutLogEvent, withoutTime } from "./log-events.ts";

const DEFAULT_MAX_OBJECT_BYTES = 16 * 1024 * 1024;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Reads a recording: watch events, one per line or formatted over many lines; lists, item by item; audit events, also
 * in events of CloudWatch Logs; bare objects; gzipped or not. Unreadable parts are reported in place, and reading
 * continues at the next line that starts with `{`. Holds one object of at most `maxObjectBytes` (16 MiB). Chunk sizes
 * do not change the result. Errors of `source` are passed on.
 */
export async function* readRecording(
  source: AsyncIterable<Uint8Array>,
  { maxObjectBytes = DEFAULT_MAX_OBJECT_BYTES }: { readonly maxObjectBytes?: number } = {},
): AsyncGenerator<Recorded> {
  const splitter = new LineSplitter(maxObjectBytes);
  const found: Recorded[] = [];
  const reader = new PieceReader(maxObjectBytes, found);
  let gzipProblem: string | undefined;
  try {
    for await (const chunk of gunzipped(source)) {
      for (const piece of splitter.push(chunk)) reader.read(piece);
      for (const recorded of found) yield withoutLogEvent(recorded);
      found.length = 0;
    }
  } catch (error) {
    if (!(error instanceof BrokenGzipError)) throw error;
    gzipProblem = `${error.message} Everything before this line was read.`;
  }
  const { line } = splitter;
  for (const piece of splitter.end()) reader.read(piece);
  reader.end();
  const rest = found.map(withoutLogEvent);
  if (gzipProblem === undefined) yield* rest;
  else {
    // The truncated last line is a consequence of the damage, and not reported again.
    yield* rest.filter((recorded) => "event" in recorded || recorded.line !== line);
    yield { line, problem: gzipProblem };
  }
}

/** Reads lines with one complete object directly with the JSON parser, and everything else with the scanner. */
class PieceReader {
  readonly #found: Recorded[];
  readonly #scanner: ObjectScanner;
  #reportedLine = 0;
  #skipsLine = false;
  #isUtf16 = false;

  constructor(maxObjectBytes: number, found: Recorded[]) {
    this.#found = found;
    this.#scanner = new ObjectScanner(maxObjectBytes, (recorded) => {
      if ("problem" in recorded) this.report(recorded.line, recorded.problem);
      else found.push(recorded);
    });
  }

  /** Reports one problem per line: later ones are usually consequences of the first. */
  report(line: number, problem: string): void {
    if (this.#reportedLine === line) return;
    this.#reportedLine = line;
    this.#found.push({ line, problem });
  }

  read(piece: LinePiece): void {
    const bytes = piece.isFirst ? this.#beginOf(piece) : piece.bytes;
    if (this.#isUtf16) return;
    if (piece.isFirst) this.#beginLine(bytes);
    if (piece.isFirst && piece.isLast && this.#readWhole(bytes, piece.line)) return;
    if (!this.#skipsLine) this.#scan(bytes, piece.line);
    if (piece.isLast) this.#scanner.endLine();
  }

  end(): void {
    this.#scanner.abandon();
  }

  #beginLine(bytes: Buffer): void {
    this.#skipsLine = false;
    const { isOpen, expectsItem } = this.#scanner;
    // Another object starts: the line begins with `{`, and is not the next item of the current list.
    if (bytes[0] === OPEN_BRACE && isOpen && !expectsItem) this.#scanner.abandon();
  }

  /** Reads a line that is one complete object, or empty. Returns whether it was one. */
  #readWhole(bytes: Buffer, line: number): boolean {
    const { isOpen, isBroken } = this.#scanner;
    if (isOpen && !isBroken) return false;
    const [start, end] = trimmed(bytes);
    if (start === end) return !isOpen;
    const value = objectIn(bytes, start, end);
    // Inside a damaged object, only a line with an object that names its own kind is the next event.
    if (value === undefined || (isOpen && !isEventOrObject(value))) return false;
    this.#scanner.abandon();
    const items = listItemsOf(value);
    if (items === undefined) this.#found.push({ line, event: value });
    else for (const item of items) this.#found.push({ line, event: withKind(item, itemKindOf(value)) });
    return true;
  }

  #scan(bytes: Buffer, line: number): void {
    const stray = this.#scanner.feed(bytes, line);
    if (stray === -1) return;
    this.#skipsLine = true;
    if (!this.#scanner.isAfterBroken) this.report(line, "The line is not JSON: a watch event starts with `{`.");
  }

  #beginOf({ line, bytes }: LinePiece): Buffer {
    return withoutTime(line === 1 ? this.#withoutMark(bytes) : bytes);
  }

  #withoutMark(bytes: Buffer): Buffer {
    const mark = bytes.subarray(0, 2).toString("hex");
    this.#isUtf16 = mark === "fffe" || mark === "feff";
    if (this.#isUtf16) {
      this.report(1, "The file is UTF-16, as the `>` of Windows PowerShell writes it: save it as UTF-8.");
    }
    return bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
  }
}

/** The object from `start` to `end`; `undefined` where these bytes are not one JSON object. */
function objectIn(bytes: Buffer, start: number, end: number): JsonObject | undefined {
  if (bytes[start] !== OPEN_BRACE || bytes[end - 1] !== CLOSE_BRACE) return undefined;
  return parseObject(bytes.toString("utf8", start, end));
}

function isEventOrObject(value: JsonObject): boolean {
  return "kind" in value || "object" in value;
}

/** The start and end of a line without surrounding white space. */
function trimmed(bytes: Buffer): readonly [number, number] {
  let start = 0;
  let end = bytes.length;
  while (start < end && isSpace(bytes[start])) start += 1;
  while (end > start && isSpace(bytes[end - 1])) end -= 1;
  return [start, end];
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}
