import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readAll, respondJson } from "./http-parts.ts";

interface Kept {
  readonly id: number;
  readonly body: string;
  visibleAt: number;
}

const VISIBILITY_MILLIS = 3000;
const MOST = 10;

/** A message of the shelf, as its consumer receives it. */
export interface ShelfMessage {
  readonly id: number;
  readonly body: string;
}

/**
 * Keeps messages until a consumer has deleted them, as SQS does: `POST /receive` hides up to ten for some seconds,
 * `POST /delete` removes some. A consumer that is killed in between gets them again.
 */
export class MessageShelf {
  readonly #messages = new Map<number, Kept>();
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));
  #next = 1;

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  put(bodies: readonly string[]): void {
    for (const body of bodies) {
      const id = this.#next++;
      this.#messages.set(id, { id, body, visibleAt: 0 });
    }
  }

  get size(): number {
    return this.#messages.size;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readAll(request);
    if (body === undefined) return;
    if (request.url === "/receive") return respondJson(response, 200, this.#receive());
    for (const id of JSON.parse(body.toString()) as readonly number[]) this.#messages.delete(id);
    respondJson(response, 200, {});
  }

  #receive(): readonly ShelfMessage[] {
    const now = Date.now();
    const visible = [...this.#messages.values()].filter(({ visibleAt }) => visibleAt <= now).slice(0, MOST);
    for (const message of visible) message.visibleAt = now + VISIBILITY_MILLIS;
    return visible.map(({ id, body }) => ({ id, body }));
  }
}
