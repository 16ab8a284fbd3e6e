import type { Instant } from "../../job/model/instant.ts";
import type { Clock } from "../../runtime/clock.ts";
import { Attempt } from "./request-attempt.ts";
import type { ClusterConnection, ClusterResponse } from "./cluster-connection.ts";
import type { ServerClock } from "./server-clock.ts";
import { IdleTimeout } from "./idle-timeout.ts";

export interface ApiReaderOptions {
  readonly connection: ClusterConnection;
  readonly clock: Clock;
  readonly serverClock: ServerClock;
  readonly signal: AbortSignal;
  /** Throws where the answer is not what was asked for. */
  readonly check: (response: ClusterResponse) => Promise<void>;
}

/** An answer whose body is still to come. */
export interface OpenedAnswer {
  /** When its head came, by the cluster's clock. */
  readonly at: Instant;
  readonly chunks: AsyncGenerator<Chunk>;
}

/** A part of a body, as it came. */
export interface Chunk {
  readonly bytes: Uint8Array;
  /** How long it was waited for: what was there already may be old. */
  readonly waitedMillis: number;
}

/**
 * A body that brings nothing for so long has gone silent. The API server writes a bookmark about every minute, where it does, and a server that is being
 * stopped keeps a watch open and mute for a minute: waiting for either is too long.
 */
const SILENT_MILLIS = 30_000;

/** Requests of one stream, one at a time, each of which can go silent or be superseded. Throws GivenUpError, ConnectionError, and what `check` throws. */
export class ApiReader {
  readonly #options: ApiReaderOptions;
  #attempt: Attempt | undefined;

  constructor(options: ApiReaderOptions) {
    this.#options = options;
  }

  /** Ends the request that is under way, if one is. */
  supersede(): void {
    this.#attempt?.giveUp("superseded");
  }

  async open(path: string, accept?: string): Promise<OpenedAnswer> {
    const { connection, clock, serverClock, signal, check } = this.#options;
    const attempt = new Attempt(clock, signal);
    this.#attempt = attempt;
    try {
      const response = await connection.get(path, { signal: attempt.signal, ...(accept !== undefined && { accept }) });
      attempt.answered();
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
    const silence = new IdleTimeout(this.#options.clock, SILENT_MILLIS, () => attempt.giveUp("silent"));
    const chunks = body[Symbol.asyncIterator]();
    try {
      for (;;) {
        silence.beginWait();
        const next = await chunks.next();
        const waitedMillis = silence.endWait();
        if (next.done === true) return;
        yield { bytes: next.value, waitedMillis };
      }
    } catch (error) {
      throw attempt.errorOf(error);
    } finally {
      silence.stop();
      attempt.end();
      await chunks.return?.();
    }
  }
}

async function* bytesOf(chunks: AsyncIterable<Chunk>): AsyncGenerator<Uint8Array> {
  for await (const { bytes } of chunks) yield bytes;
}
