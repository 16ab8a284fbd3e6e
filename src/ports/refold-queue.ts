import type { LogKey } from "./log.ts";

/** Where the keys of log items go that are to be folded again. */
export interface RefoldQueue {
  /** Durable when the promise resolves; throws where any key was not taken. A key sent twice is folded twice, which changes nothing. */
  send(keys: readonly LogKey[]): Promise<void>;
}
