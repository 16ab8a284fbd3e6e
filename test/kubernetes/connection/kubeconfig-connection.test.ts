import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ConnectionError, KubeconfigError } from "../../../src/kubernetes/connection/connection-error.ts";
import { openKubeconfig } from "../../../src/kubernetes/connection/kubeconfig-connection.ts";
import { bodyText } from "../../../src/kubernetes/json/body-text.ts";
import { FakeApiServer, status } from "../../support/kubernetes/fake-api-server.ts";
import { ManualClock } from "../../support/running/manual-clock.ts";
import { selfSignedCertificate } from "../../support/kubernetes/self-signed-certificate.ts";

const { signal } = new AbortController();

let server: FakeApiServer;
let folder: string;

beforeEach(async () => {
  server = await FakeApiServer.open({ clock: new ManualClock() });
  folder = mkdtempSync(join(tmpdir(), "outlive-kubeconfig-"));
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

function kubeconfig(
  user: unknown,
  cluster: unknown = { server: server.url, "insecure-skip-tls-verify": true },
): string {
  return written({
    clusters: [{ name: "c", cluster }],
    users: [{ name: "u", user }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    "current-context": "x",
  });
}

function written(content: unknown): string {
  const file = join(folder, "config");
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

function open(file: string, context?: string) {
  return openKubeconfig({ kind: "kubeconfig", file, ...(context !== undefined && { context }) });
}

describe("a kubeconfig that leads nowhere", () => {
  it.each([
    ["is not there", () => join(folder, "missing"), /Cannot read .*missing as a kubeconfig: ENOENT/],
    ["is empty", () => written(""), /Cannot read .*config as a kubeconfig/],
    ["is no YAML", () => written("a: [b"), /Cannot read .*config as a kubeconfig/],
    ["is another document", () => written({ kind: "Secret" }), /config has no context/],
    ["chooses no context", () => written({ clusters: [], users: [], contexts: [] }), /It has no contexts/],
    ["names a server that is no URL", () => kubeconfig({}, { server: "here" }), /has no server for context x/],
  ])("is refused in a sentence when it %s", (_, file, said) => {
    const opening = () => open(file());
    expect(opening).toThrow(KubeconfigError);
    expect(opening).toThrow(said);
  });

  it("is refused with its contexts if the requested one is missing", () => {
    expect(() => open(kubeconfig({}), "prod")).toThrow(/has no context prod\. Available contexts: x\./);
  });
});

describe("a request", () => {
  it("asks for managedFields: it does not have them dropped (KEP-5958)", async () => {
    const accepted: (string | undefined)[] = [];
    const recorder = createServer(({ headers }, response) => {
      accepted.push(headers.accept);
      response.end("{}");
    });
    recorder.listen(0, "127.0.0.1");
    await once(recorder, "listening");
    const { port } = recorder.address() as AddressInfo;
    const connection = open(kubeconfig({}, { server: `http://127.0.0.1:${port}`, "insecure-skip-tls-verify": true }));
    await bodyText(await connection.get("/api/v1/pods?watch=1", { signal }));
    await bodyText(await connection.send("POST", "/api/v1/pods", { json: "{}", signal }));
    expect(accepted).toEqual(["application/json", "application/json"]);
    recorder.closeAllConnections();
    await new Promise((closed) => recorder.close(closed));
  });
});

describe("a source of the cluster's address", () => {
  afterEach(() => vi.unstubAllEnvs());

  it("is the file that KUBECONFIG names, if none is given", async () => {
    vi.stubEnv("KUBECONFIG", kubeconfig({ token: "abc" }));
    const response = await openKubeconfig({ kind: "default" }).get("/version", { signal });
    expect(await bodyText(response)).toContain("v1.36.3");
    expect(() => openKubeconfig({ kind: "default", context: "prod" })).toThrow(
      "The kubeconfig has no context prod. Available contexts: x.",
    );
  });

  it("is asked for where there is none", () => {
    vi.stubEnv("KUBECONFIG", undefined);
    vi.stubEnv("HOME", folder);
    expect(() => openKubeconfig({ kind: "default" })).toThrow("No kubeconfig found. Pass one with --kubeconfig");
  });

  it("is not the service account outside of a Pod", () => {
    vi.stubEnv("KUBERNETES_SERVICE_HOST", undefined);
    vi.stubEnv("KUBERNETES_SERVICE_PORT", undefined);
    expect(() => openKubeconfig({ kind: "inCluster" })).toThrow("This process does not run in a Pod");
  });
});

describe("a connection", () => {
  it.each([
    ["a token", () => ({ token: "abc" }), "Bearer abc"],
    ["a name and a password", () => ({ username: "me", password: "pw" }), "Basic bWU6cHc="],
    [
      "what a plugin says",
      () => {
        const script = `console.log(JSON.stringify({ status: { token: "from-plugin" } }))`;
        const command = { apiVersion: "client.authentication.k8s.io/v1", command: process.execPath };
        return { exec: { ...command, args: ["-e", script], interactiveMode: "Never" } };
      },
      "Bearer from-plugin",
    ],
  ])("sends %s", async (_, user, authorization) => {
    const response = await open(kubeconfig(user())).get("/version", { signal });
    expect(await bodyText(response)).toContain("v1.36.3");
    expect(server.asked[0]?.headers.authorization).toBe(authorization);
  });

  it("reads a token file again after the token was refused", async () => {
    const tokenFile = join(folder, "token");
    writeFileSync(tokenFile, "old");
    const connection = open(kubeconfig({ "auth-provider": { name: "tokenFile", config: { tokenFile } } }));
    server.next("version", "version", status(401, "Unauthorized"));
    await bodyText(await connection.get("/version", { signal }));
    writeFileSync(tokenFile, "new");
    await bodyText(await connection.get("/version", { signal }));
    expect(server.asked.map(({ headers }) => headers.authorization)).toEqual(["Bearer old", "Bearer new"]);
  });

  it.each([
    ["beside the kubeconfig", () => "token"],
    ["by its whole path", () => join(folder, "token")],
  ])(
    "sends what is in the token file %s, without the line feed at its end, and reads it again when it was refused",
    async (_, path) => {
      writeFileSync(join(folder, "token"), "old\n");
      const connection = open(kubeconfig({ tokenFile: path(), token: "not this one" }));
      server.next("version", "version", status(401, "Unauthorized"));
      await bodyText(await connection.get("/version", { signal }));
      writeFileSync(join(folder, "token"), "new\n");
      await bodyText(await connection.get("/version", { signal }));
      expect(server.asked.map(({ headers }) => headers.authorization)).toEqual(["Bearer old", "Bearer new"]);
    },
  );

  it("goes through the proxy that the kubeconfig names", async () => {
    const proxy = createServer();
    const asked: (string | undefined)[] = [];
    proxy.on("connect", (request, socket) => {
      asked.push(request.url);
      const tunnel = connect(Number(new URL(server.url).port), "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        tunnel.pipe(socket).pipe(tunnel);
      });
    });
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
    const { port } = proxy.address() as AddressInfo;
    const cluster = {
      server: "http://cluster.invalid:6443",
      "proxy-url": `http://127.0.0.1:${port}`,
      "insecure-skip-tls-verify": true,
    };
    const response = await open(kubeconfig({ token: "abc" }, cluster)).get("/version", { signal });
    expect(await bodyText(response)).toContain("v1.36.3");
    expect(asked).toEqual(["cluster.invalid:6443"]);
    proxy.close();
  });

  it.each([
    ["no server listens", "http://127.0.0.1:1", /http:\/\/127\.0\.0\.1:1 refused the connection \(ECONNREFUSED\)/],
    ["the name is unknown", "http://cluster.invalid:6443", /Cannot resolve the host name of/],
  ])("is reported with advice where %s", async (_, url, said) => {
    const getting = open(kubeconfig({}, { server: url, "insecure-skip-tls-verify": true })).get("/version", { signal });
    await expect(getting).rejects.toThrow(ConnectionError);
    await expect(getting).rejects.toThrow(said);
  });

  it("reports that it cannot load the credentials where the plugin fails, and runs it again", async () => {
    const exec = { apiVersion: "client.authentication.k8s.io/v1", command: "no-such-plugin", args: [] };
    const getting = open(kubeconfig({ exec })).get("/version", { signal });
    await expect(getting).rejects.toThrow(/Cannot load the credentials for .*: .*no-such-plugin/);
  });

  it("reads the kubeconfig again after its credentials could not be loaded", async () => {
    const exec = { apiVersion: "client.authentication.k8s.io/v1", command: "no-such-plugin", args: [] };
    const connection = open(kubeconfig({ exec }));
    await expect(connection.get("/version", { signal })).rejects.toThrow(/^[^]*[^.]\.$/);
    kubeconfig({ token: "repaired" });
    await bodyText(await connection.get("/version", { signal }));
    expect(server.asked.map(({ headers }) => headers.authorization)).toEqual(["Bearer repaired"]);
  });

  it("does not read the kubeconfig again while it is accepted", async () => {
    const file = kubeconfig({ token: "abc" });
    const connection = open(file);
    await bodyText(await connection.get("/version", { signal }));
    rmSync(file);
    await bodyText(await connection.get("/version", { signal }));
    expect(server.asked).toHaveLength(2);
  });

  it("throws where the body is cut", async () => {
    server.next("version", "version", (response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
      response.write("{");
      setImmediate(() => response.destroy());
    });
    const response = await open(kubeconfig({})).get("/version", { signal });
    await expect(bodyText(response)).rejects.toThrow(ConnectionError);
  });

  it("has the values of Date and Retry-After", async () => {
    server.next("version", "version", status(429, "slow down", { "retry-after": "3" }));
    const { status: code, date, retryAfterMillis } = await open(kubeconfig({})).get("/version", { signal });
    expect([code, date, retryAfterMillis]).toEqual([429, Date.UTC(2026, 10, 21, 12), 3000]);
  });
});

describe("a server with an untrusted certificate", () => {
  it("is refused with the reason", async () => {
    const secure = createSecureServer(selfSignedCertificate());
    secure.listen(0, "127.0.0.1");
    await once(secure, "listening");
    const { port } = secure.address() as AddressInfo;
    const getting = open(kubeconfig({}, { server: `https://127.0.0.1:${port}` })).get("/version", { signal });
    await expect(getting).rejects.toThrow(/A certificate for https:.* was refused \(DEPTH_ZERO_SELF_SIGNED_CERT\)/);
    secure.close();
  });

  it("is accepted once the kubeconfig names its authority", async () => {
    const certificate = selfSignedCertificate();
    const secure = createSecureServer(certificate, (_, response) => response.end("{}"));
    secure.listen(0, "127.0.0.1");
    await once(secure, "listening");
    const url = `https://127.0.0.1:${(secure.address() as AddressInfo).port}`;
    const connection = open(kubeconfig({}, { server: url }));
    await expect(connection.get("/version", { signal })).rejects.toThrow("was refused");
    kubeconfig({}, { server: url, "insecure-skip-tls-verify": true });
    expect((await connection.get("/version", { signal })).status).toBe(200);
    secure.close();
  });
});
