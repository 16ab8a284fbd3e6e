import { once } from "node:events";
import { connect } from "node:net";
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { streamText } from "hono/streaming";
import { afterAll, describe, expect, it } from "vitest";
import type { ConnectionLimits } from "../../../src/host/server/connection-limits.ts";
import { listen, type Listening } from "../../../src/host/server/listen.ts";

const servers: Listening[] = [];
afterAll(async () => {
  for (const server of servers) await server.close();
});

async function serving(limits: ConnectionLimits): Promise<number> {
  const app = new Hono();
  app.get("/", (context) => context.text("ok"));
  app.post("/", async (context) => context.text(await context.req.text()));
  // The answer is not ready before the client has closed its side.
  app.get("/late", async (context) => {
    await once((context.env as HttpBindings).incoming.socket, "end");
    return context.text("ok");
  });
  app.get("/slow", async (context) => {
    await once((context.env as HttpBindings).incoming.socket, "timeout");
    return context.text("ok");
  });
  app.onError((_, context) => context.text("incomplete", 400));
  app.get("/endless", (context) => streamText(context, () => new Promise(() => undefined)));
  const server = await listen(app, { host: "127.0.0.1", port: 0 }, { limits });
  servers.push(server);
  return Number(new URL(server.url).port);
}

/** The answer until the server closes the connection. `end`: the client closes its side after these bytes. */
function send(port: number, bytes: string, end: boolean): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => (end ? socket.end(bytes) : socket.write(bytes)));
    let received = "";
    socket.on("data", (chunk: Buffer) => (received += chunk.toString()));
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(received));
  });
}

const request = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`;

describe("connections", () => {
  it("are answered after the client has closed its side, 1,000 at once", async () => {
    const port = await serving({});
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => send(port, request("/late"), true)));
    expect(answers.filter((answer) => !answer.endsWith("ok"))).toEqual([]);
  });

  it("are closed some time after the client has closed its side, even if the answer never ends", async () => {
    const port = await serving({ halfClosedMillis: 50 });
    expect(await send(port, request("/endless"), true)).toMatch(/^HTTP\/1\.1 200 OK/);
  });

  it("stay open while an answer takes longer than a client may leave one unread", async () => {
    const port = await serving({ unreadMillis: 20 });
    expect(await send(port, request("/slow"), false)).toMatch(/ok$/);
  });

  it("are closed with 408 if the headers never end", async () => {
    const port = await serving({ headersMillis: 50 });
    expect(await send(port, "GET / HTTP/1.1\r\nhost: localhost\r\n", false)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("are closed if no request ever begins", async () => {
    const port = await serving({ headersMillis: 50 });
    expect(await send(port, "", false)).toMatch(/^HTTP\/1\.1 408 |^$/);
  });

  it("are closed with 408 if the body never ends", async () => {
    const port = await serving({ headersMillis: 50, requestMillis: 100 });
    const head = "POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\n\r\n";
    expect(await send(port, head, false)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("beyond the limit are closed at once", async () => {
    const port = await serving({ connections: 2 });
    const held = [connect(port, "127.0.0.1"), connect(port, "127.0.0.1")];
    for (const socket of held) await once(socket, "connect");
    expect(await send(port, request("/"), false)).toBe("");
    for (const socket of held) socket.destroy();
  });
});
