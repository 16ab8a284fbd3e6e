import type { Server } from "node:http";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { createAdaptorServer } from "@hono/node-server";
import type { Hono } from "hono";
import { isLoopbackHost } from "../src/http/access.ts";
import { PROBLEM_MEDIA_TYPE, type ProblemKind, problem } from "../src/http/problem.ts";
import { CommandFailure } from "./failure.ts";

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
  // HTTP/1.1 only, so that the server is one of node:http.
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  server.on("clientError", refuseUnreadable);
  await listening(server, address);
  return { url: urlOf(server, address.host), close: () => closed(server) };
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
  const kind: ProblemKind = error.code === "HPE_HEADER_OVERFLOW" ? "header-too-large" : "request-not-http";
  const { status, title, ...rest } = problem(
    kind,
    kind === "header-too-large" ? "Send a shorter URL and fewer headers: 16 KiB in all." : "Send an HTTP/1.1 request.",
  );
  const body = JSON.stringify({ title, status, ...rest });
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\ncontent-type: ${PROBLEM_MEDIA_TYPE}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
