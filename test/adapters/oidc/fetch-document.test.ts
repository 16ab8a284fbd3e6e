import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fetchDocument, IssuerUnreachableError } from "../../../src/adapters/oidc/fetch-document.ts";

let server: Server;
let url = "";
let answer: (response: ServerResponse, request: IncomingMessage) => void = (response) => response.end();
beforeEach(async () => {
  server = createServer((request, response) => answer(response, request));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

const MIB = 1_048_576;

describe("a document of the issuer", () => {
  it("is read whole, however it is divided", async () => {
    answer = (response) => {
      response.write("abc");
      setImmediate(() => {
        response.write("de");
        setImmediate(() => response.end("f"));
      });
    };
    expect(new TextDecoder().decode(await fetchDocument(url))).toBe("abcdef");
  });

  it("may be empty", async () => {
    answer = (response) => response.end();
    expect((await fetchDocument(url)).byteLength).toBe(0);
  });

  it("is requested as JSON", async () => {
    answer = (response, request) => response.end(request.headers.accept);
    expect(new TextDecoder().decode(await fetchDocument(url))).toBe("application/json");
  });

  it("may have 1 MiB", async () => {
    answer = (response) => response.end(Buffer.alloc(MIB));
    expect((await fetchDocument(url)).byteLength).toBe(MIB);
  });

  it.each([
    ["of more than 1 MiB", (response: ServerResponse) => response.end(Buffer.alloc(MIB + 1)), "has more than 1048576"],
    ["that never ends", (response: ServerResponse) => response.write(Buffer.alloc(MIB + 1)), "has more than 1048576"],
    ["behind an error", (response: ServerResponse) => response.writeHead(503).end("{}"), "returned status 503."],
    [
      "behind a redirect",
      (response: ServerResponse) => response.writeHead(307, { location: "/other" }).end(),
      "could not be read: unexpected redirect",
    ],
    [
      "that breaks off",
      (response: ServerResponse) => {
        response.writeHead(200, { "content-length": "10" });
        response.write("abc", () => response.destroy());
      },
      "could not be read: ",
    ],
  ])("%s cannot be read", async (_, wanted, reason) => {
    answer = wanted;
    const error: unknown = await fetchDocument(url).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(IssuerUnreachableError);
    expect(String(error)).toContain(`${url} ${reason}`);
  });

  it("cannot be read where nothing listens, with the reason and the cause", async () => {
    const error: unknown = await fetchDocument("http://127.0.0.1:1/keys").catch((cause: unknown) => cause);
    expect(String(error)).toContain("http://127.0.0.1:1/keys could not be read: ");
    expect(error).toMatchObject({ cause: { name: "TypeError" } });
  });
});
