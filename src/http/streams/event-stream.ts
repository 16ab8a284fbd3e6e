/** Bytes that may wait for a client to read them. Whoever reads so slowly, or not at all, is cut off: what waits for it is our memory. */
const MAX_UNREAD_BYTES = 256 * 1024;
/** How long they may wait. */
const MAX_UNREAD_MILLIS = 60_000;

/** A body that is written while it is read. */
export class EventStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly #ended = new AbortController();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #hasRoom: () => void = () => {};

  constructor() {
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#hasRoom(),
        cancel: () => this.#ended.abort(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: MAX_UNREAD_BYTES }),
    );
  }

  /** Aborts when the client is gone, was cut off, or the server ended the stream. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /**
   * Resolves to true as soon as a text can be sent without cutting the client off: who asks for much that is there already is sent it as fast as they read.
   * To false where the client is gone, or has read nothing for a minute.
   */
  async room(): Promise<boolean> {
    if (!this.ended.aborted && (this.#controller?.desiredSize ?? 0) <= 0) await this.#untilRoom();
    return !this.ended.aborted;
  }

  /** Sends a text; false where there is nobody to send to any more. */
  send(text: string): boolean {
    if (this.#controller === undefined || this.#ended.signal.aborted) return false;
    if ((this.#controller.desiredSize ?? 0) <= 0) {
      this.#cut(this.#controller);
      return false;
    }
    this.#controller.enqueue(ENCODER.encode(text));
    return true;
  }

  end(): void {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort();
    this.#controller?.close();
  }

  #untilRoom(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(patience);
        this.ended.removeEventListener("abort", done);
        resolve();
      };
      const patience = setTimeout(() => this.end(), MAX_UNREAD_MILLIS);
      patience.unref();
      this.ended.addEventListener("abort", done);
      this.#hasRoom = done;
    });
  }

  #cut(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#ended.abort();
    controller.error(new SlowReaderError());
  }
}

const ENCODER = new TextEncoder();

/** A client left more unread than is kept for it. */
class SlowReaderError extends Error {
  override readonly name = "SlowReaderError";

  constructor() {
    super(`The client left ${MAX_UNREAD_BYTES} bytes unread and was cut off: it may come back and go on.`);
  }
}
