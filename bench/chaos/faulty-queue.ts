import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fieldsOf, itemsOf, textOf } from "../../src/kubernetes/json/json-field.ts";
import { addressed, flipped, readAll, respondJson } from "./http-parts.ts";

/** Where accepted messages go. Resolves when they are safe. */
export type Sink = (bodies: readonly string[]) => Promise<void>;

/** What the queue does to requests: refuse them, ignore them, cut connections, or damage bodies on their way. */
export type RequestFault = "throttle" | "denied" | "silent" | "cut" | "corrupt";
/** The faults that the queue injects into accepted messages. */
export type MessageFault = "duplicate" | "reorder" | "corrupt";

const REFUSALS = {
  throttle: { status: 400, type: "com.amazonaws.sqs#ThrottlingException", message: "Rate exceeded." },
  denied: { status: 403, type: "com.amazon.coral.service#AccessDeniedException", message: "Not allowed." },
} as const;

const LATER_MILLIS = [200, 4000] as const;

/**
 * What exporters take for SQS (SendMessageBatch of the JSON protocol), with faults on demand. It never loses a message
 * that it accepted: it delivers some twice, late, or after a damaged copy.
 */
export class FaultyQueue {
  /** The accepted bodies, as they were sent. */
  readonly taken: string[] = [];
  /** When messages were accepted, in order. */
  readonly takenAt: number[] = [];
  readonly requestFaults = new Set<RequestFault>();
  readonly messageFaults = new Set<MessageFault>();
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));
  readonly #sink: Sink;
  readonly #random: () => number;
  readonly #onTheWay = new Set<Promise<void>>();

  constructor(sink: Sink, random: () => number) {
    this.#sink = sink;
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

  fail(fault: RequestFault): void {
    this.requestFaults.add(fault);
    if (fault === "cut") this.#server.closeAllConnections();
  }

  /** Resolves when every accepted message was delivered. */
  async delivered(): Promise<void> {
    while (this.#onTheWay.size > 0) await Promise.all(this.#onTheWay);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readAll(request);
    if (body === undefined || this.requestFaults.has("silent")) return;
    if (this.requestFaults.has("cut")) return void request.socket.destroy();
    for (const [fault, { status, type, message }] of addressed(REFUSALS)) {
      if (this.requestFaults.has(fault)) return respondJson(response, status, { __type: type, message });
    }
    try {
      respondJson(response, 200, await this.#take(JSON.parse(body.toString())));
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      respondJson(response, 500, { __type: "com.amazonaws.sqs#InternalError", message });
    }
  }

  async #take(sent: unknown): Promise<unknown> {
    const entries = itemsOf(fieldsOf(sent)["Entries"]).map(fieldsOf);
    const arrived = entries.map((entry) => ({ id: entry["Id"], ...this.#arrival(textOf(entry["MessageBody"]) ?? "") }));
    await this.#deliver(arrived.map(({ body }) => body));
    this.taken.push(...arrived.filter(({ isDamaged }) => !isDamaged).map(({ body }) => body));
    this.takenAt.push(Date.now());
    const successful = arrived.map(({ id, body }, n) => {
      const md5 = createHash("md5").update(body).digest("hex");
      return { Id: id, MessageId: `${this.taken.length}-${n}`, MD5OfMessageBody: md5 };
    });
    return { Successful: successful, Failed: [] };
  }

  /** A body that is damaged on its way: the sender sees another checksum than its own, and sends it again. */
  #arrival(body: string): { readonly body: string; readonly isDamaged: boolean } {
    const isDamaged = this.requestFaults.has("corrupt") && this.#random() < 0.3;
    return { body: isDamaged ? flipped(body, this.#random) : body, isDamaged };
  }

  async #deliver(bodies: readonly string[]): Promise<void> {
    const now: string[] = [];
    for (const body of bodies) {
      const isLate = this.messageFaults.has("reorder") && this.#random() < 0.5;
      if (this.messageFaults.has("corrupt") && this.#random() < 0.5) now.push(flipped(body, this.#random));
      if (this.messageFaults.has("duplicate")) this.#deliverLater(body);
      if (isLate) this.#deliverLater(body);
      else now.push(body);
    }
    if (now.length > 0) await this.#sink(now);
  }

  #deliverLater(body: string): void {
    const [least, most] = LATER_MILLIS;
    const delivery = (async () => {
      await new Promise((resolve) => setTimeout(resolve, least + this.#random() * (most - least)));
      await this.#insist(body);
    })();
    this.#onTheWay.add(delivery);
    void delivery.finally(() => this.#onTheWay.delete(delivery));
  }

  async #insist(body: string): Promise<void> {
    for (;;) {
      try {
        return await this.#sink([body]);
      } catch {
        // The queue behind it is busy. This message was accepted, so it must arrive.
        await new Promise((resolve) => setTimeout(resolve, 1000));
      }
    }
  }
}
