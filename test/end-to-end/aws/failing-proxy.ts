import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy in front of an emulator that can refuse every request, as a service that is down. */
export interface FailingProxy {
  readonly url: string;
  /** Requests that it refused. */
  readonly refused: number;
  fail(): void;
  /** Refuses or holds writes of items after the next `puts`: a held request is not answered. */
  stopWrites(how: "refuse" | "hold", puts: number): void;
  /** How many writes of items it has refused or held since. */
  readonly stopped: number;
  recover(): void;
  stop(): void;
}

export async function startFailingProxy(target: string): Promise<FailingProxy> {
  const proxy = new Proxy(target);
  await proxy.listen();
  return proxy;
}

class Proxy implements FailingProxy {
  readonly #target: URL;
  readonly #server: Server = createServer((incoming, response) => this.#answer(incoming, response));
  #isFailing = false;
  #stopping: { readonly how: "refuse" | "hold"; puts: number } | undefined;
  readonly #held: ServerResponse[] = [];
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

  stopWrites(how: "refuse" | "hold", puts: number): void {
    this.#stopping = { how, puts };
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

  #answer(incoming: IncomingMessage, response: ServerResponse): void {
    if (this.#isStopped(incoming)) {
      this.stopped += 1;
      if (this.#stopping?.how === "hold") return void this.#held.push(response);
    } else if (!this.#isFailing) {
      return this.#forward(incoming, response);
    }
    this.refused += 1;
    incoming.resume();
    response.writeHead(503, { "content-type": "application/x-amz-json-1.0" });
    response.end(JSON.stringify({ __type: "ServiceUnavailable", message: "The drill refuses requests." }));
  }

  #isStopped({ headers }: IncomingMessage): boolean {
    const stopping = this.#stopping;
    if (stopping === undefined || headers["x-amz-target"] !== "DynamoDB_20120810.PutItem") return false;
    stopping.puts -= 1;
    return stopping.puts < 0;
  }

  #forward(incoming: IncomingMessage, response: ServerResponse): void {
    const { hostname, port } = this.#target;
    const { url: path, method, headers } = incoming;
    const outgoing = request({ hostname, port, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on("error", () => response.destroy());
    incoming.pipe(outgoing);
  }
}
