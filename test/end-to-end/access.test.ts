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
  it("lets each see what it was granted, to commands that take their token from a file or a command", async () => {
    await served(["--tokens-file", "tokens.json"], async (url) => {
      const clusters = async (...token: readonly string[]) =>
        (await runOutlive(["clusters", "-o", "name", "--server", url, ...token], { cwd })).stdout;
      expect(await clusters("--token", ALL)).toBe("cluster/east\ncluster/west\n");
      expect(await clusters("--token-file", "token")).toBe("cluster/east\n");
      expect(await clusters("--token-command", "cat token")).toBe("cluster/east\n");
      const refused = await runOutlive(["clusters", "--server", url, "--token", "another"], { cwd });
      expect(refused.status).toBe(2);
      expect(refused.stderr).toContain("does not hold this server's token");
    });
  }, 60_000);
});

describe("outlive serve with an issuer", () => {
  it("lets a bearer see what the token's claims grant, and tells others why not", async () => {
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
    ["two ways to say who may ask", ["--token", "x", "--oidc-issuer", "https://issuer.example.org"], "in one way"],
    ["an issuer and no audience", ["--oidc-issuer", "https://issuer.example.org"], "--oidc-audience"],
    [
      "an issuer that is not encrypted",
      ["--oidc-issuer", "http://issuer.example.org", "--oidc-audience", "x"],
      "https://",
    ],
    ["a tokens' file that is none", ["--tokens-file", "token"], "it is no JSON"],
    ["grants that are none", ["--oidc-group-grants", '{"sre":["everything"]}'], "Write JSON"],
    ["a token's file that is not there", ["--token-file", "nowhere"], "cannot be read"],
  ])("refuses %s with what to do", async (_, args, says) => {
    const { status, stderr } = await runOutlive(["serve", "--listen", "127.0.0.1:0", ...args], { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain(says);
    expect(stderr).not.toContain(EARLY);
  });
});

describe("outlive clusters register", () => {
  it.each([
    ["a principal where nobody is told who sends", ["east", "--principal-id", "AROAEXAMPLEEXAMPLE12"], "--stack"],
    ["a role by its name", ["east", "--principal-id", "exporter"], "names are used again"],
    ["a session", ["east", "--principal-id", "AROAEXAMPLEEXAMPLE12:x"], "before the colon"],
    ["a service that speaks for everybody", ["east", "--principal-id", "AIDAIT2UOQQY3AUEKVGXU"], "Amazon SNS"],
    ["an id and an ARN", ["east", "--principal-id", "AROAEXAMPLEEXAMPLE12", "--principal-arn", "x"], "cannot be used"],
    ["the probes' cluster", ["outlive-doctor"], "choose another"],
    ["no uid", ["east", "--kube-system-uid", "$(reboot)"], "kubectl get namespace"],
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
      "projection ok",
      "clusters ok",
      "set aside ok",
      "api ok",
      "reader ok",
    ]);
  });

  it.each([
    ["a file that is not there", ["--database", "none.sqlite"], "import a recording"],
    ["a file that is no database", ["--database", "token"], "token"],
    ["a server that is down", ["--server", "http://127.0.0.1:9"], "cannot be reached"],
  ])("names what is wrong with %s", async (_, args, says) => {
    const { status, stdout } = await runOutlive(["doctor", ...args, "-o", "json"], { cwd });
    expect(status).toBe(1);
    expect(stdout).toContain(says);
  });
});

describe("outlive redrive over a database file", () => {
  it("has nothing to do where nothing was set aside", async () => {
    const { status, stdout } = await runOutlive(["redrive", "--no-headers"], { cwd });
    expect(status).toBe(0);
    expect(stdout).toMatch(/^set aside\s+0\s+0\s+0\s+0\n$/);
  });

  it("has no dead letters", async () => {
    const { status, stderr } = await runOutlive(["redrive", "--what", "dead-letters"], { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain("--stack");
  });
});
