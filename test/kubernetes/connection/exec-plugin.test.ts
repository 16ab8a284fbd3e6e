import { describe, expect, it } from "vitest";
import { runExecPlugin } from "../../../src/kubernetes/connection/exec-plugin.ts";

const SECRET = "secret-7f3a91";

/** A plugin that runs this script. */
function plugin(script: string, env: readonly { readonly name: string; readonly value: string }[] = []) {
  return { apiVersion: "client.authentication.k8s.io/v1", command: process.execPath, args: ["-e", script], env };
}

function credential(status: object): string {
  return `console.log(JSON.stringify({ kind: "ExecCredential", status: ${JSON.stringify(status)} }))`;
}

async function failure(exec: unknown, limitMillis?: number): Promise<string> {
  const running = runExecPlugin(exec, limitMillis);
  await expect(running).rejects.toThrow(Error);
  return running.then(
    () => "",
    (cause: unknown) => (cause instanceof Error ? JSON.stringify([cause.message, cause.cause]) : ""),
  );
}

describe("an exec plugin", () => {
  it.each([
    ["a token", { token: "t" }, { token: "t" }],
    ["a certificate", { clientCertificateData: "c", clientKeyData: "k" }, { certificate: "c", key: "k" }],
    [
      "a token that expires",
      { token: "t", expirationTimestamp: "2026-11-22T12:00:00Z" },
      { token: "t", expiresAt: Date.UTC(2026, 10, 22, 12) },
    ],
  ])("gives %s", async (_, status, given) => {
    expect(await runExecPlugin(plugin(credential(status)))).toEqual(given);
  });

  it("gets the variables of the kubeconfig, in addition to its own environment", async () => {
    const token = "process.env.REGION + (process.env.PATH ? 1 : 0)";
    const script = `console.log(JSON.stringify({ status: { token: ${token} } }))`;
    expect(await runExecPlugin(plugin(script, [{ name: "REGION", value: "eu" }]))).toEqual({ token: "eu1" });
  });

  it("is killed when it does not end in time, even if it ignores signals", async () => {
    const hangs = `process.on("SIGTERM", () => {}); console.error("${SECRET}"); setInterval(() => {}, 1000)`;
    const said = await failure(plugin(hangs), 300);
    expect(said).toContain("did not end within 0.3 s");
    expect(said).not.toContain(SECRET);
  });

  it("may print no more than a mebibyte", async () => {
    const floods = `const line = "${SECRET}".repeat(10_000); setInterval(() => process.stdout.write(line), 0)`;
    const said = await failure(plugin(floods));
    expect(said).toContain("printed more than 1048576 bytes");
    expect(said).not.toContain(SECRET);
  });

  it.each([
    ["fails", `console.error("${SECRET}"); process.exit(3)`, /ended with status 3/],
    ["prints no JSON", `console.log("${SECRET}")`, /printed no ExecCredential/],
    ["prints a JSON without a credential", `console.log('{"status":{"tokens":"${SECRET}"}}')`, /no ExecCredential/],
    ["prints null", `console.log("null"); console.error("${SECRET}")`, /no ExecCredential/],
    ["prints a certificate without its key", credential({ clientCertificateData: SECRET }), /no ExecCredential/],
  ])("is named with the reason, but not with what it printed, when it %s", async (_, script, reason) => {
    const said = await failure(plugin(script));
    expect(said).toMatch(reason);
    expect(said).toContain(process.execPath);
    expect(said).not.toContain(SECRET);
  });

  it.each([
    ["no command", { args: [] }, /has no command/],
    ["a command that does not exist", { command: "no-such-plugin" }, /no-such-plugin does not exist/],
  ])("is refused with %s", async (_, exec, reason) => {
    expect(await failure(exec)).toMatch(reason);
  });
});
