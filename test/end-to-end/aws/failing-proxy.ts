import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy in front of an emulator that can refuse every request, as a service that is down. */
export interface FailingProxy {
  readonly url: string;
  /** Requests that it refused. */
  readonly refused: number;
  fail(): void;
  /** Refuses or holds some writes of items: a held request is not answered. */
  stopWrites(stop: StoppedWrites): void;
  /** How many writes of items it has refused or held since. */
  readonly stopped: number;
  recover(): void;
  stop(): void;
}

export interface StoppedWrites {
  readonly how: "refuse" | "hold";
  /** A text in those items. Others are written. */
  readonly containing: string;
  /** How many of them are written before. */
  readonly after: number;
}

export async function startFailingProxy(target: string): Promise<FailingProxy> {
  const proxy = new Proxy(target);
  await proxy.listen();
  return proxy;
}

class Proxy implements FailingProxy {
  readonly #target: URL;
  readonly #server: Server = createServer((incoming, response) => this.#receive(incoming, response));
  readonly #held: ServerResponse[] = [];
  #isFailing = false;
  #stopping: StoppedWrites | undefined;
  #written = 0;
  refused = 0;
  stopped = 0;

  constructor(target: string) {
    this.#target = new URL(target);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, "127.0.0.1", resolve);
    });
  }

  fail(): void {
    this.#isFailing = true;
  }

  stopWrites(stop: StoppedWrites): void {
    this.#stopping = stop;
    this.#written = 0;
    this.stopped = 0;
  }

  recover(): void {
    this.#isFailing = false;
    this.#stopping = undefined;
    for (const held of this.#held.splice(0)) held.destroy();
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #receive(incoming: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => this.#answer(incoming, Buffer.concat(chunks), response));
  }

  #answer(incoming: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const isStopped = this.#isStopped(incoming, body);
    if (isStopped) this.stopped += 1;
    if (isStopped && this.#stopping?.how === "hold") this.#held.push(response);
    else if (isStopped || this.#isFailing) this.#refuse(response);
    else this.#forward(incoming, body, response);
  }

  #isStopped({ headers }: IncomingMessage, body: Buffer): boolean {
    const stopping = this.#stopping;
    const isPut = headers["x-amz-target"] === "DynamoDB_20120810.PutItem";
    if (stopping === undefined || !isPut || !body.includes(stopping.containing)) return false;
    this.#written += 1;
    return this.#written > stopping.after;
  }

  #refuse(response: ServerResponse): void {
    this.refused += 1;
    response.writeHead(503, { "content-type": "application/x-amz-json-1.0" });
    response.end(JSON.stringify({ __type: "ServiceUnavailable", message: "The drill refuses requests." }));
  }

  #forward(incoming: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const { hostname, port } = this.#target;
    const { url: path, method, headers } = incoming;
    const outgoing = request({ hostname, port, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on("error", () => response.destroy());
    outgoing.end(body);
  }
}
