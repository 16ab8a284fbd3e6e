import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openCredentials } from "../../../cli/options/credentials-options.ts";
import { runOutlive, scratchFolder } from "../../support/running/run-outlive.ts";
import { type SignedGateway, startSignedGateway } from "../../support/aws/signed-gateway.ts";

const CALLER = {
  accessKeyId: "ASIAEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG",
  sessionToken: "a+session/token==",
  region: "eu-central-1",
};
const SHELL = {
  AWS_ACCESS_KEY_ID: CALLER.accessKeyId,
  AWS_SECRET_ACCESS_KEY: CALLER.secretAccessKey,
  AWS_SESSION_TOKEN: CALLER.sessionToken,
  AWS_REGION: CALLER.region,
  AWS_EC2_METADATA_DISABLED: "true",
};

const scratch = scratchFolder();
let gateway: SignedGateway;
beforeAll(async () => {
  gateway = await startSignedGateway(CALLER, () => ({ items: [] }));
});
afterAll(async () => {
  gateway.close();
  await scratch.remove();
});

function outlive(args: readonly string[], env: Readonly<Record<string, string>>) {
  return runOutlive([...args, "--server", gateway.url], { cwd: scratch.path, env });
}

describe("a request to an API with iamAccess", () => {
  it.each([
    ["plain", ["clusters", "-o", "json"], "/live/v1/clusters"],
    [
      "with a query of special characters",
      ["jobs", "-A", "-l", "team in (a,b),tier!=x y", "--sign", "-o", "json"],
      "labelSelector=team%20in%20%28a%2Cb%29%2Ctier%21%3Dx%20y",
    ],
  ])("is signed with the credentials of the shell: %s", async (_, args, path) => {
    const { status, stdout, stderr } = await outlive(args, { ...SHELL, OUTLIVE_SIGN: "true" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ items: [] });
    expect(gateway.asked.at(-1)).toContain(path);
  });

  it("is signed by `doctor` too", async () => {
    const { status, stdout } = await outlive(["doctor", "--sign"], SHELL);
    expect(status).toBe(0);
    expect(stdout).toMatch(/reader +ok/);
    expect(gateway.asked.slice(-2)).toEqual(["/live/v1/readyz", "/live/v1/clusters"]);
  });

  it.each([
    ["it has no signature", ["clusters"], SHELL, /Missing Authentication Token.*Set --sign/],
    ["it has a token", ["clusters", "--token", "a.b.c"], SHELL, /requires an AWS signature instead of a token/],
    [
      "its secret key is wrong",
      ["clusters", "--sign"],
      { ...SHELL, AWS_SECRET_ACCESS_KEY: "another" },
      /aws sts get-caller-identity/,
    ],
    [
      "its session token is wrong",
      ["clusters", "--sign"],
      { ...SHELL, AWS_SESSION_TOKEN: "another" },
      /aws sts get-caller-identity/,
    ],
    [
      "there are no credentials",
      ["clusters", "--sign"],
      { AWS_EC2_METADATA_DISABLED: "true", AWS_REGION: "eu-central-1", HOME: "nowhere" },
      /: the credentials are missing, expired/,
    ],
    [
      "no region is known",
      ["clusters", "--sign"],
      { ...SHELL, AWS_REGION: "", HOME: "nowhere" },
      /Set AWS_REGION, for example to eu-central-1/,
    ],
  ])("fails with what to do if %s", async (_, args, env, says) => {
    const { status, stderr } = await outlive(args, env);
    expect(stderr).toMatch(says);
    expect(status).toBe(2);
  });

  it("is reported by `doctor` with the reason of API Gateway", async () => {
    const { status, stdout } = await outlive(["doctor"], SHELL);
    expect(status).toBe(1);
    expect(stdout).toMatch(/api +failed .*Missing Authentication Token.*--sign/);
  });
});

describe("the credentials for a server", () => {
  it("are the token, unless --sign is set", async () => {
    const server = "https://abc.execute-api.eu-central-1.amazonaws.com/live/";
    expect(await openCredentials(server, { token: "t" })).toEqual({ token: "t" });
    const { sign, token } = await openCredentials(server, { token: "t", sign: true });
    expect(token).toBeUndefined();
    expect(sign).toBeTypeOf("function");
  });

  it("have no signature for an address that is not API Gateway's", async () => {
    expect(await openCredentials("https://jobs.example.org", { apiKey: "k" })).toEqual({ apiKey: "k" });
  });
});
