import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Duplex } from "node:stream";
import { getRequestListener, type Http2Bindings, type HttpBindings, RequestError } from "@hono/node-server";
import type { Hono } from "hono";
import { PROBLEM_MEDIA_TYPE, type Problem, problem } from "../../http/contract/problem.ts";
import type { ApiEnvironment } from "../../http/create-api.ts";
import { closeIfUnread, type ConnectionLimits, limitConnections, timeoutsOf } from "./connection-limits.ts";
import { clientNameOf, secureOptions, type ServerTls } from "./server-tls.ts";

export interface ServerOptions {
  /** Serve HTTPS. @default HTTP */
  readonly tls?: ServerTls;
  readonly limits?: ConnectionLimits;
}

/**
 * A server that answers invalid requests with problem details, even before the router. Node's own responses have no
 * body, and Node does not respond to CONNECT.
 */
export function createHttpServer(app: Hono, { tls, limits = {} }: ServerOptions): Server {
  const listener = getRequestListener((request, environment) => app.fetch(request, environmentOf(environment)), {
    // For health probes, which use HTTP/1.0 without Host. It completes the URL; access control reads the header itself.
    hostname: "localhost",
    errorHandler: refuseRequest,
    overrideGlobalObjects: false,
  });
  const onRequest: RequestListener = (incoming, outgoing) => {
    closeIfUnread(outgoing, limits);
    void listener(incoming, outgoing);
  };
  const options = { requireHostHeader: false, ...timeoutsOf(limits) };
  const server =
    tls === undefined
      ? createServer(options, onRequest)
      : createSecureServer({ ...options, ...secureOptions(tls) }, admitting(tls, onRequest));
  limitConnections(server, limits);
  // A server may ignore an unknown expectation (RFC 9110, section 10.1.1).
  server.on("checkExpectation", tls === undefined ? onRequest : admitting(tls, onRequest));
  server.on("connect", (_, socket) => refuse(socket, problem("method-not-allowed", NO_TUNNEL)));
  server.on("clientError", refuseUnreadable);
  return server;
}

/** What the API learns about the connection of a request. */
function environmentOf(bindings: HttpBindings | Http2Bindings): ApiEnvironment {
  const { incoming, outgoing } = bindings;
  const closed = new Promise<void>((resolve) => outgoing.once("close", () => resolve()));
  const delivery = {
    closed,
    unsentBytes: () => outgoing.writableLength,
    abandon: () => void outgoing.destroy(),
  };
  return { ...bindings, delivery, remoteAddress: incoming.socket.remoteAddress };
}

const NO_TUNNEL = "This server is not a proxy. Send GET requests.";

/** TLS has verified the authority of the client's certificate. Here its name is compared. */
function admitting(tls: ServerTls, onRequest: RequestListener): RequestListener {
  const { clientName } = tls;
  if (clientName === undefined) return onRequest;
  return (incoming, outgoing) => {
    const name = clientNameOf(incoming.socket);
    if (name === clientName) return onRequest(incoming, outgoing);
    const refusal = problem("forbidden", `The client certificate is for "${name ?? ""}". Use one for "${clientName}".`);
    outgoing.writeHead(refusal.status, { "content-type": PROBLEM_MEDIA_TYPE, connection: "close" });
    outgoing.end(JSON.stringify(refusal));
  };
}

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

/** For bytes that are not HTTP, which never reach the router. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  refuse(socket, problemOf(error.code));
}

function problemOf(code: string | undefined): Problem {
  if (code === "HPE_HEADER_OVERFLOW") {
    return problem("header-too-large", "Send a shorter URL and fewer headers: at most 16 KiB in total.");
  }
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return problem("request-timeout", "The request did not arrive completely in time. Send it again.");
  }
  return problem("request-not-http", "Send an HTTP/1.1 request.");
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
