/** Bytes that a client may leave unread. A slower client is disconnected, because unread bytes occupy memory. */
const MAX_UNREAD_BYTES = 256 * 1024;
/** How long a client may read nothing. */
const MAX_UNREAD_MILLIS = 60_000;

/** A response body that is written while the client reads it. */
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

  /** Aborts when the client disconnects or is disconnected, or when the server ends the stream. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /**
   * Waits until there is room for another text, so that old data is sent as fast as the client reads it.
   * Resolves to false if the client is gone or has read nothing for a minute.
   */
  async room(): Promise<boolean> {
    if (!this.ended.aborted && (this.#controller?.desiredSize ?? 0) <= 0) await this.#untilRoom();
    return !this.ended.aborted;
  }

  /** Sends a text. Returns false if the stream has ended. */
  send(text: string): boolean {
    if (this.#controller === undefined || this.#ended.signal.aborted) return false;
    if ((this.#controller.desiredSize ?? 0) <= 0) {
      this.#disconnect(this.#controller);
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
      const finish = (): void => {
        clearTimeout(timer);
        this.ended.removeEventListener("abort", finish);
        resolve();
      };
      const timer = setTimeout(() => this.end(), MAX_UNREAD_MILLIS);
      timer.unref();
      this.ended.addEventListener("abort", finish);
      this.#hasRoom = finish;
    });
  }

  #disconnect(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#ended.abort();
    controller.error(new SlowReaderError());
  }
}

const ENCODER = new TextEncoder();

/** A client left too many bytes unread. */
class SlowReaderError extends Error {
  override readonly name = "SlowReaderError";

  constructor() {
    super(
      `The client left ${MAX_UNREAD_BYTES} bytes unread and was disconnected. It may reconnect with its last cursor.`,
    );
  }
}
