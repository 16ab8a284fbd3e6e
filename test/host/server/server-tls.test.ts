import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request, type RequestOptions } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listen, type Listening } from "../../../src/host/server/listen.ts";
import type { ServerTls } from "../../../src/host/server/server-tls.ts";
import { authority, type Certificate } from "../../support/kubernetes/self-signed-certificate.ts";

const clients = authority("clients");
const strangers = authority("strangers");
const servers: Listening[] = [];
let folder: string;
let tls: ServerTls & { readonly clientCaFile: string };

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "outlive-tls-"));
  const { certFile, keyFile } = write("server", authority("servers").issue("127.0.0.1"));
  const clientCaFile = join(folder, "client-ca.pem");
  writeFileSync(clientCaFile, clients.cert);
  tls = { certFile, keyFile, clientCaFile };
});
afterAll(async () => {
  for (const server of servers) await server.close();
  rmSync(folder, { recursive: true });
});

function write(name: string, { cert, key }: Certificate): Pick<ServerTls, "certFile" | "keyFile"> {
  const files = { certFile: join(folder, `${name}.pem`), keyFile: join(folder, `${name}.key`) };
  writeFileSync(files.certFile, cert);
  writeFileSync(files.keyFile, key);
  return files;
}

async function serving(files: ServerTls): Promise<Listening> {
  const app = new Hono().get("/", (context) => context.text("ok"));
  const server = await listen(app, { host: "127.0.0.1", port: 0 }, { tls: files });
  servers.push(server);
  return server;
}

/** The status of the answer and the name in the server's certificate, or the code of the TLS error. */
function ask(
  { url }: Listening,
  options: RequestOptions = {},
): Promise<{ status: number | undefined; name: unknown } | string> {
  return new Promise((resolve) => {
    const sent = request(url, { rejectUnauthorized: false, agent: false, ...options }, (response) => {
      const { socket } = response;
      const name = "getPeerCertificate" in socket ? commonName(socket) : undefined;
      response.resume();
      response.on("end", () => resolve({ status: response.statusCode, name }));
    });
    sent.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end();
  });
}

function commonName(socket: object): unknown {
  return (socket as { getPeerCertificate: () => { subject: { CN: string } } }).getPeerCertificate().subject.CN;
}

describe("a server with client certificates", () => {
  it("answers a client whose certificate its authority signed", async () => {
    expect(await ask(await serving(tls), clients.issue("kube-apiserver"))).toMatchObject({ status: 200 });
  });

  it.each([
    ["without a certificate", {}],
    ["whose certificate another authority signed", strangers.issue("kube-apiserver")],
    ["whose certificate has expired", clients.issue("kube-apiserver", new Date("2020-01-01T00:00:00Z"))],
  ])("does not answer a client %s", async (_, certificate) => {
    expect(await ask(await serving(tls), certificate)).toMatch(/ERR_SSL|ECONNRESET/);
  });

  it("answers only the client with the expected name, if there is one", async () => {
    const server = await serving({ ...tls, clientName: "kube-apiserver" });
    expect(await ask(server, clients.issue("kube-apiserver"))).toMatchObject({ status: 200 });
    expect(await ask(server, clients.issue("node-1"))).toMatchObject({ status: 403 });
    expect(await ask(server, { ...clients.issue("node-1"), headers: { expect: "banana" } })).toMatchObject({
      status: 403,
    });
  });

  it("does not need a certificate of its clients if there is no authority", async () => {
    const { certFile, keyFile } = tls;
    expect(await ask(await serving({ certFile, keyFile }))).toMatchObject({ status: 200 });
  });
});

describe("renewed certificates", () => {
  it("are used for new connections", async () => {
    const files = write("renewed", authority("servers").issue("first"));
    const server = await serving(files);
    expect(await ask(server)).toMatchObject({ name: "first" });
    write("renewed", authority("servers").issue("second"));
    server.renewTls();
    expect(await ask(server)).toMatchObject({ name: "second" });
  });

  it("are not used if they do not fit together; the previous ones stay", async () => {
    const files = write("broken", authority("servers").issue("first"));
    const server = await serving(files);
    writeFileSync(files.keyFile, authority("servers").issue("second").key);
    expect(() => server.renewTls()).toThrow(/broken\.pem.*cannot be used/);
    expect(await ask(server)).toMatchObject({ status: 200, name: "first" });
  });

  it("still require certificates of clients", async () => {
    const server = await serving(tls);
    server.renewTls();
    expect(await ask(server)).toMatch(/ERR_SSL|ECONNRESET/);
    expect(await ask(server, clients.issue("kube-apiserver"))).toMatchObject({ status: 200 });
  });
});

describe("files of TLS", () => {
  it.each([
    ["that is missing", (name: string) => name],
    ["that is not PEM", (name: string) => (writeFileSync(name, "no PEM"), name)],
  ])("with a certificate %s are refused with the name of the file", async (_, file) => {
    const certFile = file(join(folder, "other.pem"));
    await expect(serving({ ...tls, certFile })).rejects.toThrow(/other\.pem/);
  });
});
