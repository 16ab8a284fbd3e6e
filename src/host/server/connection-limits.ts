import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Server as TlsServer } from "node:tls";

/** How long a connection may be open without a complete request, and how many connections there may be. */
export interface ConnectionLimits {
  /** The most open connections. More are closed at once. @default 5,000 */
  readonly connections?: number;
  /** For the headers of a request, from the opening of the connection. @default 10,000 */
  readonly headersMillis?: number;
  /** For a whole request with its body. @default 60,000 */
  readonly requestMillis?: number;
  /** How long the rest of the answer may take once the client has closed its side. @default 10,000 */
  readonly halfClosedMillis?: number;
  /** How long a client may take none of the bytes that wait for it. @default 30,000 */
  readonly unreadMillis?: number;
}

/** More than the streams of all readers (2,000) and as many questions. */
const MAX_CONNECTIONS = 5_000;
const HEADERS_MILLIS = 10_000;
const REQUEST_MILLIS = 60_000;
const HALF_CLOSED_MILLIS = 10_000;
const UNREAD_MILLIS = 30_000;
/** Node checks its timeouts at this interval, at most. */
const MAX_CHECK_MILLIS = 5_000;

/** Node's own options for these limits. */
export function timeoutsOf({ headersMillis = HEADERS_MILLIS, requestMillis = REQUEST_MILLIS }: ConnectionLimits) {
  return {
    headersTimeout: headersMillis,
    requestTimeout: Math.max(requestMillis, headersMillis),
    connectionsCheckingInterval: Math.min(MAX_CHECK_MILLIS, headersMillis),
  };
}

/** Limits the connections of a server, and answers clients that close their side after the request. */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  server.maxConnections = limits.connections ?? MAX_CONNECTIONS;
  // Without this, Node closes the connection when the client has closed its side, and drops the answer that is still
  // being computed. The property is not documented, but Node has it since version 0.5.
  Object.assign(server, { httpAllowHalfOpen: true });
  const millis = limits.halfClosedMillis ?? HALF_CLOSED_MILLIS;
  const event = server instanceof TlsServer ? "secureConnection" : "connection";
  server.on(event, (socket: Socket) => endHalfClosed(socket, millis));
}

/** Closes the connection of a client that reads nothing of its answer. A client that reads slowly is not affected. */
export function closeIfUnread(outgoing: ServerResponse, { unreadMillis = UNREAD_MILLIS }: ConnectionLimits): void {
  const { socket } = outgoing;
  // Node emits the event after this time without progress, even in the middle of a large write.
  outgoing.setTimeout(unreadMillis, () => {
    if (socket !== null && socket.writableLength > 0) socket.destroy();
  });
}

/** A client that disconnected looks like one that closed only its own side. */
function endHalfClosed(socket: Socket, millis: number): void {
  socket.once("end", () => {
    const timer = setTimeout(() => socket.destroy(), millis);
    socket.once("close", () => clearTimeout(timer));
  });
}
