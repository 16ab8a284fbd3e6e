import type { AnswerPlace } from "../access/reader-places.ts";
import { ReaderLeftError, requirePresent } from "../reader-left.ts";
import type { Delivery } from "./delivery.ts";

/**
 * Builds the next part of a text. It is a function because a generator would keep the data of the last part in memory
 * while the client does not read.
 */
export type TextParts = () => Promise<{ readonly text: string; readonly isLast: boolean }>;

export interface AnswerBodyOptions {
  readonly place: AnswerPlace;
  /** Aborts when the client has left. */
  readonly signal: AbortSignal;
  readonly delivery: Delivery | undefined;
  /** Called with the error that ended the answer before its end. */
  readonly onError: (error: Error) => void;
}

/** The largest write. A larger one would not show whether the client is reading. */
export const SLICE_BYTES = 64 * 1024;

/**
 * The body of a long answer. Each part is built after the client has read the one before it. Nothing is built after the
 * client has disconnected.
 */
export class AnswerBody {
  readonly stream: ReadableStream<Uint8Array>;
  readonly #options: AnswerBodyOptions;
  readonly #ended = Promise.withResolvers<void>();
  /** What was built and not yet sent. */
  #left: Uint8Array;
  /** `undefined` when everything was built. */
  #parts: TextParts | undefined;
  #isOver = false;

  /** `first` is already built. `parts` yields the rest, if there is more. */
  constructor(first: Uint8Array, parts: TextParts | undefined, options: AnswerBodyOptions) {
    this.#left = first;
    this.#parts = parts;
    this.#options = options;
    options.place.setUnread(first.length);
    void options.place.keepFor(this.#ended.promise);
    // With a buffer size of 0, the stream asks for data only when the connection accepts more.
    this.stream = new ReadableStream<Uint8Array>(
      { pull: (controller) => this.#pull(controller), cancel: () => this.#end() },
      { highWaterMark: 0 },
    );
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      while (this.#left.length === 0 && this.#parts !== undefined) await this.#build(this.#parts);
    } catch (error) {
      return this.#fail(controller, error);
    }
    if (this.#isOver) return;
    if (this.#left.length > 0) controller.enqueue(this.#left.subarray(0, SLICE_BYTES));
    this.#left = this.#left.subarray(SLICE_BYTES);
    if (this.#left.length > 0 || this.#parts !== undefined) return;
    controller.close();
    this.#end();
  }

  async #build(parts: TextParts): Promise<void> {
    const { place, signal } = this.#options;
    this.#countUnread();
    await place.build(async () => {
      if (this.#isOver) throw new ReaderLeftError();
      requirePresent(signal);
      const { text, isLast } = await parts();
      if (isLast) this.#parts = undefined;
      this.#left = Buffer.from(text);
    });
    this.#countUnread();
  }

  #countUnread(): void {
    const { place, delivery } = this.#options;
    if (!this.#isOver) place.setUnread(this.#left.length + (delivery?.unsentBytes() ?? 0));
  }

  /** The headers are already sent, so no status can report that the answer is incomplete. */
  #fail(controller: ReadableStreamDefaultController<Uint8Array>, error: unknown): void {
    const { delivery, onError } = this.#options;
    if (!(error instanceof ReaderLeftError)) onError(error instanceof Error ? error : new Error(String(error)));
    if (this.#isOver) return;
    if (delivery === undefined) controller.error(new IncompleteAnswerError());
    else delivery.abandon();
    this.#end();
  }

  #end(): void {
    this.#isOver = true;
    this.#parts = undefined;
    this.#ended.resolve();
  }
}

class IncompleteAnswerError extends Error {
  override readonly name = "IncompleteAnswerError";

  constructor() {
    super("The server could not complete the answer. Its log has the cause.");
  }
}
