import { GrowingBytes } from "./growing-bytes.ts";
import { isObject, type JsonObject } from "./json-field.ts";
import { isWithinBounds } from "./json-size.ts";
import { ITEM_FIELDS, itemKindOf, lacksKind, type ListKind, withKind } from "./listed-item.ts";
import type { Recorded } from "./recorded.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const LINE_FEED = Buffer.from("\n");
const ITEMS_KEY = new RegExp(`"(${ITEM_FIELDS.join("|")})"\\s*:\\s*$`);
/** Objects of clusters are less than 50 levels deep. JSON.parse needs 100 bytes and more for each level. */
const MAX_DEPTH = 128;
/** Far more than an object of a cluster has: an object of 3 MiB could have 1.5 million. */
const MAX_CONTAINERS = 500_000;
/** A shorter text cannot need much memory. */
const SHORT_TEXT = 16 * 1024;
/** Enough text before a bracket to recognize the items of a list. */
const KEY_BYTES = 64;

/**
 * Finds JSON objects in text that arrives in pieces, by braces and quotes alone, and passes each complete one to
 * `found`.
 * A list is passed on item by item. The scanner holds one object of at most `maxBytes`.
 */
export class ObjectScanner {
  readonly #found: (recorded: Recorded) => void;
  readonly #listed: (list: JsonObject) => void;
  readonly #maxBytes: number;
  /** The current object, without its items if it is a list. */
  readonly #outer: GrowingBytes;
  readonly #item: GrowingBytes;
  #depth = 0;
  #inText = false;
  #escaped = false;
  #line = 0;
  #outerLine = 0;
  #itemLine = 0;
  #inItem = false;
  #inItems = false;
  #isList = false;
  #isBroken = false;
  #isAfterBroken = false;
  #listKind: ListKind | undefined;
  /** Items without a kind whose list has not shown its own kind yet. */
  #waiting: { readonly line: number; readonly item: unknown }[] = [];
  #waitingBytes = 0;

  /** `listed` receives each complete list, without its items. */
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

  /** Whether an object has started and not ended. */
  get isOpen(): boolean {
    return this.#depth > 0;
  }

  /** Whether the next object is an item of the current list. */
  get expectsItem(): boolean {
    return this.#inItems && this.#depth === 2;
  }

  /** Whether the current object was reported as damaged. The scanner then only searches for its end. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Whether the last object was damaged and spanned lines: the following text may still belong to it. */
  get isAfterBroken(): boolean {
    return this.#isAfterBroken;
  }

  /** Reads bytes of `line`. Returns the index of the first byte that belongs to no object, or -1. */
  feed(bytes: Buffer, line: number): number {
    this.#line = line;
    let kept = 0;
    let at = 0;
    while (at < bytes.length) {
      if (this.#inText) {
        at = this.#passText(bytes, at);
        continue;
      }
      const byte = bytes[at] ?? 0;
      if (this.#depth > 0) kept = this.#step(bytes, kept, at);
      else if (byte === OPEN_BRACE) kept = this.#open(bytes, kept, at);
      else if (!isBetweenObjects(byte)) return at;
      at += 1;
    }
    this.#keep(bytes.subarray(kept));
    return -1;
  }

  /** Ends the line: a JSON string cannot continue in the next one. */
  endLine(): void {
    if (this.#depth === 0) return;
    if (this.#inText) {
      this.#inText = false;
      this.#escaped = false;
      this.#breakUp("The object that begins here is truncated within a string.");
    }
    this.#keep(LINE_FEED);
  }

  /** Abandons the current object: the input ended, or another object starts. */
  abandon(): void {
    if (this.#depth === 0) return;
    this.#breakUp("The object that begins here is truncated.");
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

  /** Handles one byte outside of strings. Returns the index from which bytes are still to be kept. */
  #step(bytes: Buffer, kept: number, at: number): number {
    const byte = bytes[at];
    if (byte === QUOTE) this.#inText = true;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) return this.#open(bytes, kept, at);
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) return this.#close(bytes, kept, at);
    return kept;
  }

  #open(bytes: Buffer, kept: number, at: number): number {
    const byte = bytes[at];
    let from = kept;
    if (this.#depth === 0) {
      this.#outerLine = this.#line;
      this.#isAfterBroken = false;
      from = at;
    } else if (byte === OPEN_BRACE && this.expectsItem) {
      this.#inItem = true;
      this.#itemLine = this.#line;
      from = at;
    } else if (byte === OPEN_BRACKET && this.#depth === 1) {
      this.#keep(bytes.subarray(from, at + 1));
      from = at + 1;
      if (ITEMS_KEY.test(this.#outer.tail(KEY_BYTES).slice(0, -1))) this.#openList();
    }
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) this.#breakUp(TOO_DEEP);
    return from;
  }

  #close(bytes: Buffer, kept: number, at: number): number {
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
    this.#endOuter(this.#line);
    return at + 1;
  }

  /** Appends bytes to the current item, or to the object around the list. Drops the commas between items. */
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
    const { isOverLimit, length } = this.#item;
    const text = isOverLimit ? "" : this.#item.text();
    const isBroken = this.#isBroken;
    this.#item.clear();
    this.#inItem = false;
    this.#isBroken = false;
    if (isBroken) return;
    if (isOverLimit) {
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
    const value = this.#outer.isOverLimit ? undefined : parseObject(this.#outer.text());
    this.#isAfterBroken = line > this.#outerLine && (this.#isBroken || value === undefined);
    if (this.#isBroken || value === undefined) {
      if (!this.#isBroken) this.#report(this.#outerLine, this.#outerProblem());
      this.#releaseWaiting(undefined);
    } else if (this.#isList) {
      this.#releaseWaiting(itemKindOf(value));
      this.#listed(value);
    } else this.#found({ line: this.#outerLine, event: value });
    this.#reset();
  }

  #outerProblem(): string {
    return this.#outer.isOverLimit ? tooLarge(this.#maxBytes) : NOT_JSON;
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
const TOO_DEEP = `The object that begins here is nested more than ${MAX_DEPTH} levels deep and was skipped.`;

function tooLarge(maxBytes: number): string {
  return `The object that begins here is larger than ${maxBytes} bytes and was skipped.`;
}

const BOUNDS = { depth: MAX_DEPTH, containers: MAX_CONTAINERS };

const BETWEEN_OBJECTS = new Set(Buffer.from(" \t\r\n,[]"));

/** Whether a byte may stand between objects: white space, and the brackets and commas of an array of objects. */
function isBetweenObjects(byte: number): boolean {
  return BETWEEN_OBJECTS.has(byte);
}

/** A JSON object; `undefined` where `text` is none, or would need far more memory than an object of a cluster. */
export function parseObject(text: string): { readonly [field: string]: unknown } | undefined {
  if (text.length > SHORT_TEXT && !isWithinBounds(Buffer.from(text), BOUNDS)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
