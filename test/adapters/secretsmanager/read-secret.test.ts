import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { describe, expect, it } from "vitest";
import { AwsAccessDeniedError } from "../../../src/adapters/aws/aws-error.ts";
import { InvalidSecretError, readSecret } from "../../../src/adapters/secretsmanager/read-secret.ts";
import { failure, type Script, scripted, success } from "../../support/aws/scripted-answers.ts";

const ARN = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:rules-a1B2c3";

function read(answer: Script) {
  const { config, requests } = scripted([answer]);
  return { secret: readSecret(new SecretsManagerClient(config), ARN), requests };
}

describe("a secret", () => {
  it("has the texts of its JSON object", async () => {
    const { secret, requests } = read(success({ SecretString: '{"PD_KEY":"k","N":7}' }));
    expect(await secret).toEqual({ PD_KEY: "k", N: "7" });
    expect(requests).toEqual([{ SecretId: ARN }]);
  });

  it.each(["hunter2", '["hunter2"]', '"hunter2"', "null"])("that is %s is refused, and not repeated", async (text) => {
    const { secret } = read(success({ SecretString: text }));
    await expect(secret).rejects.toThrow(InvalidSecretError);
    await expect(secret).rejects.not.toThrow(/hunter2/);
  });

  it("that cannot be read says so", async () => {
    const { secret } = read(failure("AccessDeniedException", "not authorized"));
    await expect(secret).rejects.toThrow(AwsAccessDeniedError);
  });
});
