import type { Server } from "node:http";
import { isIP } from "node:net";
import type { Hono } from "hono";
import { isLoopbackHost } from "../../http/access/access.ts";
import { CommandFailure } from "../command-line/command-failure.ts";
import { createHttpServer, type ServerOptions } from "./http-server.ts";
import { renewTls } from "./server-tls.ts";

export interface ListenAddress {
  readonly host: string;
  /** 0: the system chooses a port. */
  readonly port: number;
}

export interface Listening {
  readonly url: string;
  /** Reads the TLS files again. If they cannot be used, throws and keeps the previous ones. */
  readonly renewTls: () => void;
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

/** Serves the API at an address, or receives messages there. Throws CommandFailure where it cannot listen there. */
export async function listen(app: Hono, address: ListenAddress, options: ServerOptions = {}): Promise<Listening> {
  const server = createHttpServer(app, options);
  await listening(server, address);
  const { tls } = options;
  return {
    url: `${tls === undefined ? "http" : "https"}://${hostAndPort(server, address.host)}`,
    renewTls: () => tls && renewTls(server, tls),
    close: () => closed(server),
  };
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

function hostAndPort(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
