import type { LogKey } from "./log.ts";

export interface RefoldOptions {
  /** Nobody gets them before so many seconds are over: whole ones, at most 900 (SQS, `DelaySeconds`). @default 0 */
  readonly afterSeconds?: number;
}

/** Where the keys of log items go that are to be folded again. */
export interface RefoldQueue {
  /** Durable when the promise resolves; throws where any key was not taken. A key sent twice is folded twice, which changes nothing. */
  send(keys: readonly LogKey[], options?: RefoldOptions): Promise<void>;
}
