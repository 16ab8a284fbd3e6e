import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { OutgoingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { User } from "@kubernetes/client-node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ExecPluginUsers, withExecPlugin } from "../../../src/kubernetes/connection/exec-plugin-users.ts";

let folder: string;
let runs: string;
let plugins: ExecPluginUsers;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "outlive-plugin-"));
  runs = join(folder, "runs");
  plugins = new ExecPluginUsers();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A user whose plugin records that it ran, and returns a token with the number of the run. */
function user(expirationTimestamp?: string): User {
  const script = `
    const fs = require("node:fs");
    fs.appendFileSync(${JSON.stringify(runs)}, "x");
    const token = String(fs.readFileSync(${JSON.stringify(runs)}, "utf8").length);
    console.log(JSON.stringify({ status: { token, expirationTimestamp: ${JSON.stringify(expirationTimestamp)} } }));`;
  return withExecPlugin({ name: "me", exec: { command: process.execPath, args: ["-e", script] } });
}

async function authorization(one: User): Promise<unknown> {
  // client-node reads the headers from the same object.
  const options: { headers: OutgoingHttpHeaders } = { headers: {} };
  await plugins.applyAuthentication(one, options);
  return options.headers["Authorization"];
}

describe("the plugin of a user", () => {
  it("runs once for requests that need it at the same time, and for later ones", async () => {
    const one = user();
    expect(await Promise.all([1, 2, 3].map(() => authorization(one)))).toEqual(Array(3).fill("Bearer 1"));
    expect(await authorization(one)).toBe("Bearer 1");
    expect(readFileSync(runs, "utf8")).toBe("x");
  });

  it("runs again when its credential has expired", async () => {
    const one = user("2020-01-01T00:00:00Z");
    expect([await authorization(one), await authorization(one)]).toEqual(["Bearer 1", "Bearer 2"]);
  });

  it("runs again after it failed", async () => {
    const fails = withExecPlugin({ name: "me", exec: { command: join(folder, "missing") } });
    await expect(authorization(fails)).rejects.toThrow("does not exist");
    expect(await authorization(user())).toBe("Bearer 1");
  });

  it.each([
    ["with its key", { clientCertificateData: "cert", clientKeyData: "key" }, { cert: "cert", key: "key" }],
    ["not without its key", { clientCertificateData: "cert", token: "t" }, {}],
    ["and a token", { clientCertificateData: "cert", clientKeyData: "key", token: "t" }, { cert: "cert", key: "key" }],
  ])("may give a certificate: %s", async (_, said, expected) => {
    const script = `console.log(${JSON.stringify(JSON.stringify({ status: said }))})`;
    const one = withExecPlugin({ name: "me", exec: { command: process.execPath, args: ["-e", script] } });
    const options: { headers?: OutgoingHttpHeaders } = {};
    await plugins.applyAuthentication(one, options);
    const { headers, ...rest } = options;
    expect(rest).toEqual(expected);
    expect(headers).toEqual("token" in said ? { Authorization: "Bearer t" } : undefined);
  });

  it("is never left to client-node, which has no limits", () => {
    const exec = { command: "plugin" };
    for (const one of [
      { name: "me", exec },
      { name: "me", authProvider: { name: "exec", config: { exec } } },
    ]) {
      const limited = withExecPlugin(one);
      expect(plugins.isAuthProvider(limited)).toBe(true);
      expect(JSON.stringify(limited)).not.toContain('"exec":');
    }
    expect(plugins.isAuthProvider({ name: "me", token: "t" })).toBe(false);
  });
});
