import { createServer, type RequestListener, type Server } from "node:http";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener, RequestError } from "@hono/node-server";
import type { Hono } from "hono";
import { isLoopbackHost } from "../http/access/access.ts";
import { PROBLEM_MEDIA_TYPE, type Problem, problem } from "../http/contract/problem.ts";
import { CommandFailure } from "../command-line/command-failure.ts";

export interface ListenAddress {
  readonly host: string;
  /** 0: one that the system chooses. */
  readonly port: number;
}

export interface Listening {
  readonly url: string;
  /** Takes no new requests, lets those that run end, and resolves when they have. */
  readonly close: () => Promise<void>;
}

export const STANDARD_LISTEN = "127.0.0.1:8080";

/** Reads `HOST:PORT`, `[IPv6]:PORT` or `PORT`. */
export function parseListen(text: string): ListenAddress {
  const [, bracketed, plain, digits] = /^(?:(?:\[([^\]]+)\]|([^:[\]]*)):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits ?? -1);
  if (port < 0 || port > 65_535) {
    throw new CommandFailure(
      2,
      `"${text}" is not an address to listen on: write HOST:PORT, such as ${STANDARD_LISTEN}.`,
    );
  }
  const host = bracketed ?? plain ?? "";
  return { host: host === "" ? "127.0.0.1" : host, port };
}

/** Whether only this machine can reach the address. */
export function isLoopback({ host }: ListenAddress): boolean {
  return isLoopbackHost(isIP(host) === 6 ? `[${host}]` : host);
}

/** Serves the API at an address; a port that is taken, and any other reason not to listen, ends the command with its sentence. */
export async function listen(app: Hono, address: ListenAddress): Promise<Listening> {
  const server = serverOf(app);
  await listening(server, address);
  return { url: urlOf(server, address.host), close: () => closed(server) };
}

/** A server that refuses what never reaches the router with a problem, too: Node's own refusals have no body, and to CONNECT it says nothing at all. */
function serverOf(app: Hono): Server {
  const listener = getRequestListener(app.fetch, {
    // Health probes speak HTTP/1.0 without a Host. It only completes the URL: who may ask is told by the header.
    hostname: "localhost",
    errorHandler: refuseRequest,
    overrideGlobalObjects: false,
  });
  const answer: RequestListener = (incoming, outgoing) => void listener(incoming, outgoing);
  const server = createServer({ requireHostHeader: false }, answer);
  // An expectation that is not understood may be ignored (RFC 9110, 10.1.1).
  server.on("checkExpectation", answer);
  server.on("connect", (_, socket) => refuse(socket, problem("method-not-allowed", NO_TUNNEL)));
  server.on("clientError", refuseUnreadable);
  return server;
}

const NO_TUNNEL = "This is no proxy: everything here is read with GET.";

/** A URL or a Host header that makes no URL together. */
function refuseRequest(error: unknown): Response {
  const refusal =
    error instanceof RequestError
      ? problem("request-not-http", `The URL and the Host header make no URL (${error.message}): correct them.`)
      : problem("internal", "The answer could not be sent. Ask again.");
  return new Response(JSON.stringify(refusal), {
    status: refusal.status,
    headers: { "content-type": PROBLEM_MEDIA_TYPE },
  });
}

function listening(server: Server, address: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => reject(cannotListen(address, cause)));
    server.listen(address.port, address.host, resolve);
  });
}

/** A port that is taken: the caller may try another. */
export class PortTakenFailure extends CommandFailure {}

function cannotListen({ host, port }: ListenAddress, cause: NodeJS.ErrnoException): CommandFailure {
  const where = `${host}:${port}`;
  if (cause.code === "EADDRINUSE") {
    return new PortTakenFailure(
      2,
      `Port ${port} of ${host} is in use: stop what listens there, or choose another one with --listen ${host}:PORT.`,
      { cause },
    );
  }
  if (cause.code === "EACCES") {
    return new CommandFailure(2, `Listening on ${where} is not permitted: choose a port above 1023 with --listen.`, {
      cause,
    });
  }
  return new CommandFailure(2, `Listening on ${where} is not possible (${cause.message}): correct --listen.`, {
    cause,
  });
}

function urlOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}

/** Bytes that are no HTTP never reach the router; they get a problem too. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  refuse(
    socket,
    error.code === "HPE_HEADER_OVERFLOW"
      ? problem("header-too-large", "Send a shorter URL and fewer headers: 16 KiB in all.")
      : problem("request-not-http", "Send an HTTP/1.1 request."),
  );
}

function refuse(socket: Duplex, refusal: Problem): void {
  const { status, title } = refusal;
  const body = JSON.stringify(refusal);
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\ncontent-type: ${PROBLEM_MEDIA_TYPE}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
