import { GrowingBytes } from "./growing-bytes.ts";
import { isObject, type JsonObject } from "./json-field.ts";
import { itemKindOf, lacksKind, type ListKind, withKind } from "./listed-item.ts";
import type { Recorded } from "./recorded.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const LINE_FEED = Buffer.from("\n");
const ITEMS_KEY = /"items"\s*:\s*$/;
/** Enough of what stands before a bracket to see whether it opens the items of a list. */
const KEY_BYTES = 64;

/**
 * Finds JSON objects in text that comes in pieces, by braces and quotes alone, and hands each to `found` when it is complete.
 * A list is handed out item by item and never held as a whole. What it holds is one object of at most `maxBytes`.
 */
export class ObjectScanner {
  readonly #found: (recorded: Recorded) => void;
  readonly #listed: (list: JsonObject) => void;
  readonly #maxBytes: number;
  /** The object, without the items where it is a list. */
  readonly #outer: GrowingBytes;
  readonly #item: GrowingBytes;
  #depth = 0;
  #inText = false;
  #escaped = false;
  #outerLine = 0;
  #itemLine = 0;
  #inItem = false;
  #inItems = false;
  #isList = false;
  #isBroken = false;
  #isAfterBroken = false;
  #listKind: ListKind | undefined;
  /** Items that lack a kind, of a list whose own kind has not come yet. */
  #waiting: { readonly line: number; readonly item: unknown }[] = [];
  #waitingBytes = 0;

  /** `listed` is told of a list that is complete, without its items. */
  constructor(
    maxBytes: number,
    found: (recorded: Recorded) => void,
    listed: (list: JsonObject) => void = () => undefined,
  ) {
    this.#maxBytes = maxBytes;
    this.#found = found;
    this.#listed = listed;
    this.#outer = new GrowingBytes(maxBytes);
    this.#item = new GrowingBytes(maxBytes);
  }

  /** An object has begun and not ended. */
  get isOpen(): boolean {
    return this.#depth > 0;
  }

  /** Between two items of a list, where the next object belongs to it. */
  get expectsItem(): boolean {
    return this.#inItems && this.#depth === 2;
  }

  /** What is open has been reported and only its end is still looked for. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** The last object went over many lines and was broken: what follows it up to the next one may still belong to it. */
  get isAfterBroken(): boolean {
    return this.#isAfterBroken;
  }

  /** Reads on in `line`. Returns the place of the first byte that belongs to no object, or -1. */
  feed(bytes: Buffer, line: number): number {
    let kept = 0;
    let at = 0;
    while (at < bytes.length) {
      if (this.#inText) {
        at = this.#passText(bytes, at);
        continue;
      }
      const byte = bytes[at] ?? 0;
      if (this.#depth > 0) kept = this.#step(bytes, kept, at, line);
      else if (byte === OPEN_BRACE) kept = this.#open(bytes, kept, at, line);
      else if (!isBetweenObjects(byte)) return at;
      at += 1;
    }
    this.#keep(bytes.subarray(kept));
    return -1;
  }

  /** The line is over: a text cannot go on in the next one. */
  endLine(): void {
    if (this.#depth === 0) return;
    if (this.#inText) {
      this.#inText = false;
      this.#escaped = false;
      this.#breakUp("The object that begins here is cut in the middle of a text.");
    }
    this.#keep(LINE_FEED);
  }

  /** What is open will not go on: there is no more, or another object begins. */
  abandon(): void {
    if (this.#depth === 0) return;
    this.#breakUp("The object that begins here is cut.");
    this.#releaseWaiting(undefined);
    this.#reset();
  }

  #passText(bytes: Buffer, from: number): number {
    let at = from;
    let escaped = this.#escaped;
    while (at < bytes.length) {
      const byte = bytes[at];
      at += 1;
      if (escaped) escaped = false;
      else if (byte === BACKSLASH) escaped = true;
      else if (byte === QUOTE) {
        this.#inText = false;
        break;
      }
    }
    this.#escaped = escaped;
    return at;
  }

  /** One byte outside of texts. Returns from where on the bytes are still to be kept. */
  #step(bytes: Buffer, kept: number, at: number, line: number): number {
    const byte = bytes[at];
    if (byte === QUOTE) this.#inText = true;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) return this.#open(bytes, kept, at, line);
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) return this.#close(bytes, kept, at, line);
    return kept;
  }

  #open(bytes: Buffer, kept: number, at: number, line: number): number {
    const byte = bytes[at];
    let from = kept;
    if (this.#depth === 0) {
      this.#outerLine = line;
      this.#isAfterBroken = false;
      from = at;
    } else if (byte === OPEN_BRACE && this.expectsItem) {
      this.#inItem = true;
      this.#itemLine = line;
      from = at;
    } else if (byte === OPEN_BRACKET && this.#depth === 1) {
      this.#keep(bytes.subarray(from, at + 1));
      from = at + 1;
      if (ITEMS_KEY.test(this.#outer.tail(KEY_BYTES).slice(0, -1))) this.#openList();
    }
    this.#depth += 1;
    return from;
  }

  #close(bytes: Buffer, kept: number, at: number, line: number): number {
    const closesItems = bytes[at] === CLOSE_BRACKET && this.expectsItem;
    this.#depth -= 1;
    if (closesItems) {
      this.#inItems = false;
      return at;
    }
    if (this.#inItem && this.#depth === 2) {
      this.#keep(bytes.subarray(kept, at + 1));
      this.#endItem();
      return at + 1;
    }
    if (this.#depth > 0) return kept;
    this.#keep(bytes.subarray(kept, at + 1));
    this.#endOuter(line);
    return at + 1;
  }

  /** Items are kept one at a time; what stands between them is commas. */
  #keep(bytes: Buffer): void {
    if (this.#depth === 0 && !this.#hasOuter()) return;
    if (this.#inItem) this.#item.append(bytes);
    else if (!this.#inItems) this.#outer.append(bytes);
  }

  #hasOuter(): boolean {
    return this.#outerLine > 0;
  }

  #openList(): void {
    this.#isList = true;
    this.#inItems = true;
    const head = parseObject(`${this.#outer.text()}]}`);
    this.#listKind = head === undefined ? undefined : itemKindOf(head);
  }

  #endItem(): void {
    const { isOver, length } = this.#item;
    const text = isOver ? "" : this.#item.text();
    const isBroken = this.#isBroken;
    this.#item.clear();
    this.#inItem = false;
    this.#isBroken = false;
    if (isBroken) return;
    if (isOver) {
      this.#report(this.#itemLine, tooLarge(this.#maxBytes));
      return;
    }
    const item = parseObject(text);
    if (item === undefined) this.#report(this.#itemLine, NOT_JSON);
    else if (this.#listKind === undefined && lacksKind(item)) this.#wait(item, length);
    else this.#found({ line: this.#itemLine, event: withKind(item, this.#listKind) });
  }

  #wait(item: unknown, bytes: number): void {
    this.#waiting.push({ line: this.#itemLine, item });
    this.#waitingBytes += bytes;
    if (this.#waitingBytes > this.#maxBytes) this.#releaseWaiting(undefined);
  }

  #releaseWaiting(kind: ListKind | undefined): void {
    for (const { line, item } of this.#waiting) this.#found({ line, event: withKind(item, kind) });
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  #endOuter(line: number): void {
    const isOver = this.#outer.isOver;
    const value = isOver ? undefined : parseObject(this.#outer.text());
    this.#isAfterBroken = line > this.#outerLine && (this.#isBroken || value === undefined);
    if (this.#isBroken) this.#releaseWaiting(undefined);
    else if (isOver) {
      this.#report(this.#outerLine, tooLarge(this.#maxBytes));
    } else if (value === undefined) this.#report(this.#outerLine, NOT_JSON);
    else if (!this.#isList) this.#found({ line: this.#outerLine, event: value });
    this.#releaseWaiting(value === undefined ? undefined : itemKindOf(value));
    if (this.#isList && !this.#isBroken && value !== undefined) this.#listed(value);
    this.#reset();
  }

  #breakUp(problem: string): void {
    if (!this.#isBroken) this.#report(this.#inItem ? this.#itemLine : this.#outerLine, problem);
    this.#isBroken = true;
  }

  #report(line: number, problem: string): void {
    this.#found({ line, problem });
  }

  #reset(): void {
    this.#outer.clear();
    this.#item.clear();
    this.#depth = 0;
    this.#inText = false;
    this.#escaped = false;
    this.#outerLine = 0;
    this.#inItem = false;
    this.#inItems = false;
    this.#isList = false;
    this.#isBroken = false;
    this.#listKind = undefined;
  }
}

const NOT_JSON = "The object that begins here is not JSON.";

function tooLarge(maxBytes: number): string {
  return `The object that begins here is larger than ${maxBytes} bytes and was passed over.`;
}

const BETWEEN_OBJECTS = new Set(Buffer.from(" \t\r\n,[]"));

/** Spaces; and what makes an array of the objects, which is read as well as if it were not there. */
function isBetweenObjects(byte: number): boolean {
  return BETWEEN_OBJECTS.has(byte);
}

/** A JSON object, or `undefined` where `text` is none. */
export function parseObject(text: string): { readonly [field: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
