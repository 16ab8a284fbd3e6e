/** Caches the decoded values of recent texts. Equal texts share one value, which callers must not change. */
export class DecodedTexts<Value> {
  readonly #values = new Map<string, Value>();
  readonly #maxCharacters: number;
  #characters = 0;

  /** `maxCharacters` bounds the texts together. A longer text is decoded every time. */
  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  /** The value of `text`. If `decode` throws, nothing is remembered. */
  of(text: string, decode: () => Value): Value {
    const known = this.#values.get(text);
    if (known !== undefined) return known;
    const value = decode();
    if (text.length <= this.#maxCharacters) this.#keep(text, value);
    return value;
  }

  /** Forgets the oldest texts until the new one fits. */
  #keep(text: string, value: Value): void {
    this.#characters += text.length;
    for (const oldest of this.#values.keys()) {
      if (this.#characters <= this.#maxCharacters) break;
      this.#values.delete(oldest);
      this.#characters -= oldest.length;
    }
    this.#values.set(text, value);
  }
}
