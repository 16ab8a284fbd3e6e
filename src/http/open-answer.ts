import type { AnswerPlace } from "./access/reader-places.ts";
import type { Problem } from "./contract/problem.ts";
import { requirePresent } from "./reader-left.ts";
import type { RequestMeter } from "./request-meter.ts";
import { AnswerBody, SLICE_BYTES, type TextParts } from "./streams/answer-body.ts";
import type { Delivery } from "./streams/delivery.ts";

export interface OpenAnswerOptions {
  readonly place: AnswerPlace;
  readonly request: Request;
  readonly delivery: Delivery | undefined;
  readonly meter: RequestMeter;
  readonly onError: (error: Error) => void;
}

/** A reservation for one answer, or why the reader gets none. */
export type Opened =
  | { readonly outcome: "opened"; readonly answer: OpenAnswer }
  | { readonly outcome: "refused"; readonly problem: Problem };

/** What a response is made of. */
export interface BodyAndHeaders {
  readonly body: string | ReadableStream<Uint8Array>;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * An answer in progress. It counts against the reader's limit until the client has read all of it or has disconnected.
 */
export class OpenAnswer {
  readonly #options: OpenAnswerOptions;

  constructor(options: OpenAnswerOptions) {
    this.#options = options;
  }

  /** Aborts when the client has left. */
  get signal(): AbortSignal {
    return this.#options.request.signal;
  }

  /** Builds the response, or its first page, alternating with the reader's other answers. */
  build(work: () => Promise<Response>): Promise<Response> {
    const { place, delivery } = this.#options;
    if (delivery !== undefined) void place.keepFor(delivery.closed);
    return place.keepFor(
      place.build(() => {
        requirePresent(this.signal);
        return work();
      }),
    );
  }

  /** Lets other answers of the reader be built while this one waits. */
  aside<Result>(wait: () => Promise<Result>): Promise<Result> {
    const { place, meter, request } = this.#options;
    return place.aside(() => meter.aside(request, wait));
  }

  /** Lets the requests be built that this answer consists of. Unlike a wait, they are part of its duration. */
  byRequests<Result>(ask: () => Promise<Result>): Promise<Result> {
    return this.#options.place.aside(ask);
  }

  /** The body of a complete text. A long text is sent in slices, which show whether the client is still reading. */
  bodyOf(text: string): BodyAndHeaders {
    if (this.#options.delivery === undefined || text.length < SLICE_BYTES || this.#isHead) {
      return { body: text, headers: {} };
    }
    const bytes = Buffer.from(text);
    const { stream } = new AnswerBody(bytes, undefined, { ...this.#options, signal: this.signal });
    return { body: stream, headers: { "content-length": String(bytes.length) } };
  }

  /**
   * The body of a text in parts. The first part is built before the headers are sent, so that its error still gets a
   * status.
   */
  async bodyOfParts(parts: TextParts): Promise<BodyAndHeaders> {
    const { text, isLast } = await parts();
    if (isLast) return this.bodyOf(text);
    if (this.#isHead) return { body: "", headers: {} };
    const { stream } = new AnswerBody(Buffer.from(text), parts, { ...this.#options, signal: this.signal });
    return { body: stream, headers: {} };
  }

  /** Nothing would read the body of the response. */
  get #isHead(): boolean {
    return this.#options.request.method === "HEAD";
  }
}
