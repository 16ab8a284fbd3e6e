import type { Instant } from "../../job/model/instant.ts";
import type { Clock } from "../../ports/runtime/clock.ts";
import { Attempt } from "./request-attempt.ts";
import type { ClusterConnection, ClusterResponse } from "./cluster-connection.ts";
import type { ServerClock } from "./server-clock.ts";
import { IdleTimeout } from "./idle-timeout.ts";

export interface ApiReaderOptions {
  readonly connection: ClusterConnection;
  readonly clock: Clock;
  readonly serverClock: ServerClock;
  readonly signal: AbortSignal;
  /** Throws where the response is not the expected one. */
  readonly check: (response: ClusterResponse) => Promise<void>;
}

/** A response whose body is not read yet. */
export interface OpenedResponse {
  /** When the response's headers arrived, by the cluster's clock. */
  readonly at: Instant;
  readonly chunks: AsyncGenerator<Chunk>;
}

/** A part of a body. */
export interface Chunk {
  readonly bytes: Uint8Array;
  /**
   * How long the reader waited for this part, counted from the last interruption of the process. A part that was
   * already in a buffer may be old.
   */
  readonly waitedMillis: number;
}

/**
 * The longest wait for a part of a body. The API server usually sends a bookmark once a minute, and a server that is
 * shutting down keeps a silent watch open for a minute. Both are too long to wait.
 */
const IDLE_TIMEOUT_MILLIS = 30_000;

/**
 * Sends the requests of one stream, one at a time. Each can time out or be superseded.
 * Throws GivenUpError, ConnectionError, and the errors of `check`.
 */
export class ApiReader {
  readonly #options: ApiReaderOptions;
  #attempt: Attempt | undefined;

  constructor(options: ApiReaderOptions) {
    this.#options = options;
  }

  /** Aborts the current request, if there is one. */
  supersede(): void {
    this.#attempt?.giveUp("superseded");
  }

  async open(path: string, accept?: string): Promise<OpenedResponse> {
    const { connection, clock, serverClock, signal, check } = this.#options;
    const attempt = new Attempt(clock, signal);
    this.#attempt = attempt;
    try {
      const response = await connection.get(path, { signal: attempt.signal, ...(accept !== undefined && { accept }) });
      attempt.responded();
      serverClock.learn(response.date);
      const chunks = this.#read(response, attempt);
      await check({ ...response, body: bytesOf(chunks) });
      return { at: serverClock.now(), chunks };
    } catch (error) {
      attempt.end();
      throw attempt.errorOf(error);
    }
  }

  async *#read({ body }: ClusterResponse, attempt: Attempt): AsyncGenerator<Chunk> {
    const idleTimeout = new IdleTimeout(this.#options.clock, IDLE_TIMEOUT_MILLIS, () => attempt.giveUp("idle"));
    const chunks = body[Symbol.asyncIterator]();
    try {
      for (;;) {
        idleTimeout.beginWait();
        const next = await chunks.next();
        const waitedMillis = idleTimeout.endWait();
        if (next.done === true) return;
        yield { bytes: next.value, waitedMillis };
      }
    } catch (error) {
      throw attempt.errorOf(error);
    } finally {
      idleTimeout.stop();
      attempt.end();
      await chunks.return?.();
    }
  }
}

/** The body of a response. */
export async function* bytesOf(chunks: AsyncIterable<Chunk>): AsyncGenerator<Uint8Array> {
  for await (const { bytes } of chunks) yield bytes;
}
