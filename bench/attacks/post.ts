import type { MessagePort, Worker } from "node:worker_threads";

/** Sends a message to another thread. `to` is null in the main thread, which has no parent. */
export function post(to: MessagePort | Worker | null, message: unknown): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  to?.postMessage(message);
}
