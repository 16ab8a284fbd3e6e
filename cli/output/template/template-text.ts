import { SelectorSyntaxError } from "../../../src/query/list/selector-text.ts";

/** A text with a read position, which only moves forward. */
export class TemplateText {
  readonly #text: string;
  #at = 0;
  constructor(text: string) {
    this.#text = text;
  }

  get at(): number {
    return this.#at;
  }
  /** The next character; empty at the end. */
  get peek(): string {
    return this.#text.charAt(this.#at);
  }
  atEnd(): boolean {
    return this.#at >= this.#text.length;
  }
  take(): string {
    const character = this.peek;
    this.#at += 1;
    return character;
  }
  /** Consumes `text` if it is next. */
  takes(text: string): boolean {
    const isNext = this.#text.startsWith(text, this.#at);
    if (isNext) this.#at += text.length;
    return isNext;
  }
  takeWhile(isTaken: (character: string) => boolean): string {
    const start = this.#at;
    while (!this.atEnd() && isTaken(this.peek)) this.#at += 1;
    return this.#text.slice(start, this.#at);
  }
  skipSpaces(): void {
    this.takeWhile((character) => /\s/.test(character));
  }
  unexpected(expected: string): SelectorSyntaxError {
    const found = this.atEnd() ? "the end" : `"${this.peek}"`;
    return new SelectorSyntaxError(this.#at, `expected ${expected}, found ${found}`);
  }
}
