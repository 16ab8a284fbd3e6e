import { IAMClient } from "@aws-sdk/client-iam";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findPrincipal } from "../../../src/adapters/iam/find-principal.ts";
import { queryError, ScriptedAws, type ScriptedAnswer } from "../../support/aws/scripted-aws.ts";

let iam: ScriptedAws;
let client: IAMClient;
beforeAll(async () => {
  iam = await ScriptedAws.start();
  client = new IAMClient(iam.settings);
});
afterAll(() => iam.stop());

function found(kind: "Role" | "User", id: string): ScriptedAnswer {
  const principal = `<${kind}><${kind}Id>${id}</${kind}Id><Path>/</Path></${kind}>`;
  const body = `<Get${kind}Response><Get${kind}Result>${principal}</Get${kind}Result></Get${kind}Response>`;
  return { status: 200, headers: { "content-type": "text/xml" }, body };
}

describe("a principal", () => {
  it.each<readonly [string, string, "Role" | "User", string]>([
    ["a role", "arn:aws:iam::123456789012:role/exporter", "Role", "RoleName=exporter"],
    ["a role below a path", "arn:aws:iam::123456789012:role/team/a/exporter", "Role", "RoleName=exporter"],
    ["a role's session", "arn:aws:sts::123456789012:assumed-role/exporter/i-1", "Role", "RoleName=exporter"],
    ["a role of another partition", "arn:aws-us-gov:iam::123456789012:role/exporter", "Role", "RoleName=exporter"],
    ["a user", "arn:aws:iam::123456789012:user/ci@example.org", "User", "UserName=ci%40example.org"],
  ])("that is %s is found by its ARN", async (_, arn, kind, asked) => {
    iam.answer = found(kind, "AROAEXAMPLEEXAMPLE12");
    expect(await findPrincipal(client, arn)).toEqual({ outcome: "found", principalId: "AROAEXAMPLEEXAMPLE12" });
    expect(iam.requests.at(-1)).toContain(asked);
  });

  it.each([
    ["a word", "exporter"],
    ["an account's root", "arn:aws:iam::123456789012:root"],
    ["a group", "arn:aws:iam::123456789012:group/x"],
    ["a queue", "arn:aws:sqs:eu-central-1:123456789012:x"],
    ["a role without a name", "arn:aws:iam::123456789012:role/"],
    ["two lines", "arn:aws:iam::123456789012:role/x\n"],
  ])("that is %s is rejected without a request", async (_, arn) => {
    const before = iam.requests.length;
    const answer = await findPrincipal(client, arn);
    expect(answer).toMatchObject({ outcome: "notPrincipal" });
    expect("problem" in answer ? answer.problem : "").toContain("--principal-id");
    expect(iam.requests.length).toBe(before);
  });

  it.each<readonly [string, ScriptedAnswer, string, string]>([
    [
      "is missing",
      queryError(404, "NoSuchEntity", "The role with name exporter cannot be found."),
      "AwsResourceMissingError",
      "another account",
    ],
    ["cannot be read", queryError(403, "AccessDenied", "not authorized"), "AwsAccessDeniedError", "--principal-id"],
    [
      "is requested with expired credentials",
      queryError(403, "ExpiredToken", "expired"),
      "AwsCredentialsError",
      "Sign in",
    ],
  ])("that %s causes an error with the advice", async (_, answer, name, says) => {
    iam.answer = answer;
    const asked = findPrincipal(client, "arn:aws:iam::123456789012:role/exporter");
    await expect(asked).rejects.toMatchObject({ name, message: expect.stringContaining(says) as string });
  });
});
