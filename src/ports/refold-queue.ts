import type { LogKey } from "./log.ts";

/** A log item that could not be projected completely. The log keeps it: project it again by its key. */
export interface Refold {
  readonly key: LogKey;
  readonly cause: unknown;
}

export interface RefoldOptions {
  /** The delay before delivery: whole seconds, at most 900 (SQS, `DelaySeconds`). @default 0 */
  readonly afterSeconds?: number;
}

/** Queues the keys of log items that must be projected again. */
export interface RefoldQueue {
  /** Durable when it resolves. Throws if a key was not accepted. Projecting a key twice changes nothing. */
  send(keys: readonly LogKey[], options?: RefoldOptions): Promise<void>;
}
