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
  /** 0: the system chooses a port. */
  readonly port: number;
}

export interface Listening {
  readonly url: string;
  /** Accepts no new requests, and resolves when the current ones have ended. */
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
      `"${text}" is not an address to listen on. Write HOST:PORT, for example ${STANDARD_LISTEN}.`,
    );
  }
  const host = bracketed ?? plain ?? "";
  return { host: host === "" ? "127.0.0.1" : host, port };
}

/** Whether the address is reachable only from this machine. */
export function isLoopback({ host }: ListenAddress): boolean {
  return isLoopbackHost(isIP(host) === 6 ? `[${host}]` : host);
}

/** Serves the API at an address. Throws CommandFailure where it cannot listen there. */
export async function listen(app: Hono, address: ListenAddress): Promise<Listening> {
  const server = serverOf(app);
  await listening(server, address);
  return { url: urlOf(server, address.host), close: () => closed(server) };
}

/**
 * A server that answers invalid requests with problem details, even before the router. Node's own responses have no
 * body, and Node does not respond to CONNECT.
 */
function serverOf(app: Hono): Server {
  const listener = getRequestListener(app.fetch, {
    // For health probes, which use HTTP/1.0 without Host. It completes the URL; access control reads the header itself.
    hostname: "localhost",
    errorHandler: refuseRequest,
    overrideGlobalObjects: false,
  });
  const onRequest: RequestListener = (incoming, outgoing) => void listener(incoming, outgoing);
  const server = createServer({ requireHostHeader: false }, onRequest);
  // A server may ignore an unknown expectation (RFC 9110, section 10.1.1).
  server.on("checkExpectation", onRequest);
  server.on("connect", (_, socket) => refuse(socket, problem("method-not-allowed", NO_TUNNEL)));
  server.on("clientError", refuseUnreadable);
  return server;
}

const NO_TUNNEL = "This server is not a proxy. Send GET requests.";

/** For a request whose URL and Host header are invalid together. */
function refuseRequest(error: unknown): Response {
  const refusal =
    error instanceof RequestError
      ? problem(
          "request-not-http",
          `The URL and the Host header are invalid together (${error.message}). Correct them.`,
        )
      : problem("internal", "The server failed to send the response. Retry.");
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

/** The port is in use. The caller may try another one. */
export class PortTakenFailure extends CommandFailure {}

function cannotListen({ host, port }: ListenAddress, cause: NodeJS.ErrnoException): CommandFailure {
  const where = `${host}:${port}`;
  if (cause.code === "EADDRINUSE") {
    return new PortTakenFailure(
      2,
      `Port ${port} of ${host} is in use. Stop the other program, or set --listen ${host}:PORT.`,
      { cause },
    );
  }
  if (cause.code === "EACCES") {
    return new CommandFailure(2, `Cannot listen on ${where}: access denied. Set --listen to a port above 1023.`, {
      cause,
    });
  }
  return new CommandFailure(2, `Cannot listen on ${where}: ${cause.message}. Correct --listen.`, {
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

/** For bytes that are not HTTP, which never reach the router. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  refuse(
    socket,
    error.code === "HPE_HEADER_OVERFLOW"
      ? problem("header-too-large", "Send a shorter URL and fewer headers: at most 16 KiB in total.")
      : problem("request-not-http", "Send an HTTP/1.1 request."),
  );
}

function refuse(socket: Duplex, refusal: Problem): void {
  const { status, title } = refusal;
  const body = JSON.stringify(refusal);
  const head = [
    `HTTP/1.1 ${status} ${title}`,
    `content-type: ${PROBLEM_MEDIA_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
