import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fieldsOf, isObject, itemsOf, textOf } from "../../../src/kubernetes/json/json-field.ts";

/** The ways in which the queue can be unavailable. */
export type Outage = "unavailable" | "denied" | "silent" | "cut";

/** The part of SQS that an exporter needs (SendMessageBatch of the JSON protocol), with failures on demand. */
export class SmallSqs {
  /** The accepted bodies in order, with their times. */
  readonly taken: { readonly body: string; readonly at: number }[] = [];
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));
  readonly #waiting = new Set<{ readonly isMet: () => boolean; readonly resolve: () => void }>();
  /** By how much its clock is ahead. */
  aheadMillis = 0;
  /** The number of requests, answered or not. */
  requests = 0;
  #outage: Outage | undefined;

  /** Resolves when `isMet` returns true, which is checked after each request. */
  async until(isMet: () => boolean): Promise<void> {
    if (isMet()) return;
    await new Promise<void>((resolve) => {
      this.#waiting.add({ isMet, resolve });
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, "127.0.0.1", resolve);
    });
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  fail(outage: Outage | undefined): void {
    this.#outage = outage;
    if (outage === "cut") this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
    } catch (cause) {
      // The exporter was killed during a request.
      if (cause instanceof Error) return;
      throw cause;
    }
    this.requests += 1;
    response.setHeader("date", new Date(Date.now() + this.aheadMillis).toUTCString());
    this.#reply(request, response, Buffer.concat(chunks).toString());
    for (const waiting of this.#waiting) {
      if (!waiting.isMet()) continue;
      this.#waiting.delete(waiting);
      waiting.resolve();
    }
  }

  #reply(request: IncomingMessage, response: ServerResponse, body: string): void {
    switch (this.#outage) {
      case "unavailable":
        return end(response, 503, { __type: "ServiceUnavailable", message: "Try again later." });
      case "denied":
        return end(response, 403, { __type: "AccessDeniedException", message: "Not allowed." });
      case "silent":
        return;
      case "cut":
        request.socket.destroy();
        return;
      case undefined:
        return end(response, 200, this.#take(JSON.parse(body)));
    }
  }

  #take(sent: unknown): unknown {
    const entries = isObject(sent) ? itemsOf(sent["Entries"]) : [];
    const at = Date.now();
    const successful = entries.map((entry) => {
      const fields = fieldsOf(entry);
      const body = textOf(fields["MessageBody"]) ?? "";
      this.taken.push({ body, at });
      const md5 = createHash("md5").update(body).digest("hex");
      return { Id: fields["Id"], MessageId: `m-${this.taken.length}`, MD5OfMessageBody: md5 };
    });
    return { Successful: successful, Failed: [] };
  }
}

function end(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/x-amz-json-1.0" });
  response.end(JSON.stringify(body));
}
