import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OidcIssuer } from "../support/http/oidc-issuer.ts";
import { example, runOutlive, scratchFolder, serveOutlive } from "../support/running/run-outlive.ts";

const folder = scratchFolder();
const cwd = folder.path;
const EARLY = "a-token-that-sees-one-namespace";
const ALL = "a-token-that-sees-everything";
let issuer: OidcIssuer;

beforeAll(async () => {
  issuer = await OidcIssuer.start();
  for (const cluster of ["east", "west"]) {
    const args = ["import", "--cluster", cluster, example("pod-gc-ate-success.ndjson.gz")];
    expect(await runOutlive(args, { cwd })).toMatchObject({ status: 0 });
  }
  writeFileSync(
    join(cwd, "tokens.json"),
    JSON.stringify([
      { token: ALL, grants: ["*"] },
      { token: EARLY, grants: ["east/pod-gc-ate-success"] },
    ]),
  );
  writeFileSync(join(cwd, "token"), `${EARLY}\n`);
}, 120_000);
afterAll(async () => {
  await issuer.stop();
  await folder.remove();
});

async function served<Result>(args: readonly string[], use: (url: string) => Promise<Result>): Promise<Result> {
  const serving = await serveOutlive(["serve", "--listen", "127.0.0.1:0", ...args], { cwd });
  try {
    return await use(serving.url);
  } finally {
    await serving.stop("SIGTERM");
  }
}

describe("outlive serve with several tokens", () => {
  it("answers each token by its grants, also from --token-file and --token-command", async () => {
    await served(["--tokens-file", "tokens.json"], async (url) => {
      const clusters = async (...token: readonly string[]) =>
        (await runOutlive(["clusters", "-o", "name", "--server", url, ...token], { cwd })).stdout;
      expect(await clusters("--token", ALL)).toBe("cluster/east\ncluster/west\n");
      expect(await clusters("--token-file", "token")).toBe("cluster/east\n");
      expect(await clusters("--token-command", "cat token")).toBe("cluster/east\n");
      const refused = await runOutlive(["clusters", "--server", url, "--token", "another"], { cwd });
      expect(refused.status).toBe(2);
      expect(refused.stderr).toContain("is not valid for this server");
    });
  }, 60_000);
});

describe("outlive serve with an issuer", () => {
  it("answers a token by the grants in its claims, and rejects others with the reason", async () => {
    await served(["--oidc-issuer", issuer.url, "--oidc-audience", "outlive"], async (url) => {
      const ask = async (token: string | undefined, ...command: readonly string[]) =>
        runOutlive([...command, "--server", url], {
          cwd,
          ...(token !== undefined && { env: { OUTLIVE_TOKEN: token } }),
        });
      const token = await issuer.token({ claims: { outlive: ["west/*"] } });
      expect((await ask(token, "clusters", "-o", "name")).stdout).toBe("cluster/west\n");
      expect((await ask(undefined, "clusters")).stderr).toContain("Send the header");
      const old = await issuer.token({ claims: { outlive: "*", exp: 1 } });
      expect((await ask(old, "jobs")).stderr).toContain("The token has expired");
      const doctor = await ask(old, "doctor", "-o", "json");
      expect(doctor.status).toBe(1);
      expect(doctor.stdout).toContain("The token has expired");
      expect(await ask(token, "doctor")).toMatchObject({ status: 0 });
    });
  }, 60_000);
});

describe("outlive serve", () => {
  it.each([
    ["two sources of tokens", ["--token", "x", "--token-file", "y"], "Set only one of"],
    ["an issuer without an audience", ["--oidc-issuer", "https://issuer.example.org"], "--oidc-audience"],
    ["an issuer without TLS", ["--oidc-issuer", "http://issuer.example.org", "--oidc-audience", "x"], "https://"],
    ["an invalid tokens file", ["--tokens-file", "token"], "it is not JSON"],
    ["invalid grants", ["--oidc-group-grants", '{"sre":["everything"]}'], "Write JSON"],
    ["a missing token file", ["--token-file", "nowhere"], "Cannot read token file nowhere"],
  ])("rejects %s with what to do", async (_, args, says) => {
    const { status, stderr } = await runOutlive(["serve", "--listen", "127.0.0.1:0", ...args], { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain(says);
    expect(stderr).not.toContain(EARLY);
  });
});

describe("outlive clusters register", () => {
  it.each([
    ["a principal for a database file", ["east", "--principal-id", "AROAEXAMPLEEXAMPLE12"], "--stage"],
    ["a role by its name", ["east", "--principal-id", "exporter"], "another principal can get it later"],
    ["a session", ["east", "--principal-id", "AROAEXAMPLEEXAMPLE12:x"], "before the colon"],
    ["a service through which everyone can send", ["east", "--principal-id", "AIDAIT2UOQQY3AUEKVGXU"], "Amazon SNS"],
    ["an id and an ARN", ["east", "--principal-id", "AROAEXAMPLEEXAMPLE12", "--principal-arn", "x"], "cannot be used"],
    ["the cluster of the probes", ["outlive-doctor"], "Choose another name"],
    ["an invalid uid", ["east", "--kube-system-uid", "$(reboot)"], "kubectl get namespace"],
  ])("refuses %s with what to do", async (_, args, says) => {
    const { status, stderr } = await runOutlive(["clusters", "register", ...args], { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain(says);
  });
});

describe("outlive doctor", () => {
  it("passes for a database file, and does not call an imported cluster silent", async () => {
    const { status, stdout } = await runOutlive(["doctor", "-o", "json"], { cwd });
    expect(status).toBe(0);
    const { items } = JSON.parse(stdout) as {
      readonly items: readonly { readonly check: string; readonly result: string }[];
    };
    expect(items.map(({ check, result }) => `${check} ${result}`)).toEqual([
      "database ok",
      "integrity ok",
      "projection ok",
      "commands ok",
      "clusters ok",
      "set aside ok",
      "acknowledgements ok",
      "api ok",
      "reader ok",
    ]);
  });

  it.each([
    ["a missing file", ["--database", "none.sqlite"], "Import a recording"],
    ["a file that is not a database", ["--database", "token"], "token"],
    ["an unreachable server", ["--server", "http://127.0.0.1:9"], "Cannot reach"],
  ])("reports the problem with %s", async (_, args, says) => {
    const { status, stdout } = await runOutlive(["doctor", ...args, "-o", "json"], { cwd });
    expect(status).toBe(1);
    expect(stdout).toContain(says);
  });
});

describe("outlive redrive over a database file", () => {
  it("has nothing to do if nothing is set aside", async () => {
    const { status, stdout } = await runOutlive(["redrive", "--no-headers"], { cwd });
    expect(status).toBe(0);
    expect(stdout).toMatch(/^set aside\s+0\s+0\s+0\s+0\s+0\n$/);
  });

  it("has no dead letters", async () => {
    const { status, stderr } = await runOutlive(["redrive", "--what", "dead-letters"], { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain("--stage");
  });
});
