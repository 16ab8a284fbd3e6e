import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Certificate } from "../kubernetes/self-signed-certificate.ts";

export interface ReceivedMessage {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
}

/** Answers a message. */
export type Answer = (response: ServerResponse, message: ReceivedMessage) => void;

/** A receiver of messages on this machine, which answers as its test says. */
export interface HookServer {
  readonly url: string;
  readonly received: readonly ReceivedMessage[];
  /** How often a message of each identity was received. A receiver has its effect once. */
  effects(): ReadonlyMap<string, number>;
  answerWith(answer: Answer): void;
  close(): Promise<void>;
}

export const ACCEPT: Answer = (response) => response.writeHead(202).end();

export async function startHookServer(certificate?: Certificate): Promise<HookServer> {
  const received: ReceivedMessage[] = [];
  let answer = ACCEPT;
  const listener: RequestListener = (request, response) => {
    text(request)
      .then((body) => {
        const message = { path: request.url ?? "", headers: request.headers, body, receivedAt: Date.now() };
        received.push(message);
        return answer(response, message);
      })
      .catch(() => response.destroy());
  };
  const server: Server = certificate === undefined ? createServer(listener) : createTlsServer(certificate, listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `${certificate === undefined ? "http" : "https"}://127.0.0.1:${port}/hook`,
    received,
    effects: () => {
      const counts = new Map<string, number>();
      for (const { headers } of received) {
        const id = String(headers["webhook-id"]);
        counts.set(id, (counts.get(id) ?? 0) + 1);
      }
      return counts;
    },
    answerWith: (next) => {
      answer = next;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
