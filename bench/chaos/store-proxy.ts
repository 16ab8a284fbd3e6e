import { createServer, type IncomingMessage, request as send, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readAll, respondJson } from "./http-parts.ts";

/** What happens to the functions' requests to DynamoDB, SQS and S3. */
export type StoreFault = "throttle" | "cut" | "silent";

const THROTTLED = {
  __type: "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException",
  message: "The level of configured provisioned throughput for the table was exceeded.",
};
/** A hot partition refuses some requests, not all. */
const THROTTLED_SHARE = 0.7;

/** Stands between the functions and the emulator. */
export class StoreProxy {
  readonly faults = new Set<StoreFault>();
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));
  readonly #endpoint: URL;
  readonly #random: () => number;

  constructor(endpoint: string, random: () => number) {
    this.#endpoint = new URL(endpoint);
    this.#random = random;
  }

  /** Returns its address. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  fail(fault: StoreFault): void {
    this.faults.add(fault);
    if (fault === "cut") this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readAll(request);
    if (body === undefined || this.faults.has("silent")) return;
    if (this.faults.has("cut")) return void request.socket.destroy();
    const isDynamo = String(request.headers["x-amz-target"] ?? "").startsWith("DynamoDB_");
    if (isDynamo && this.faults.has("throttle") && this.#random() < THROTTLED_SHARE) {
      return respondJson(response, 400, THROTTLED);
    }
    this.#forward(request, body, response);
  }

  #forward(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const { method, url: path, headers } = request;
    const { hostname, port } = this.#endpoint;
    const forwarded = send({ hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
      answer.on("error", () => response.destroy());
    });
    forwarded.on("error", () => response.destroy());
    forwarded.end(body);
  }
}
