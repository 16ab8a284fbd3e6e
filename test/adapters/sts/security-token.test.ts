import { describe, expect, it } from "vitest";
import { AwsAccessDeniedError } from "../../../src/adapters/aws/aws-error.ts";
import type { SignedEndpoint } from "../../../src/adapters/aws/sign-request.ts";
import { assumeRole, callerArn } from "../../../src/adapters/sts/security-token.ts";

interface Sent {
  readonly url: string;
  readonly authorization: string | null;
  readonly parameters: Readonly<Record<string, string>>;
}

/** STS that gives these answers, in order. */
function sts(...answers: readonly { readonly status?: number; readonly body: string }[]) {
  const sent: Sent[] = [];
  const service: SignedEndpoint = {
    region: async () => "eu-central-1",
    credentials: async () => ({ accessKeyId: "id", secretAccessKey: "secret" }),
    retry: { attempts: 3, pause: async () => {} },
    now: () => 0,
    fetch: async (url, init) => {
      sent.push({
        url: url instanceof URL ? url.href : "",
        authorization: new Headers(init?.headers).get("authorization"),
        parameters: Object.fromEntries(new URLSearchParams(Buffer.from(init?.body as Uint8Array).toString())),
      });
      const { status = 200, body } = answers[sent.length - 1] ?? { status: 500, body: "" };
      return new Response(body, { status });
    },
  };
  return { service, sent };
}

const ROLE = "arn:aws:iam::123456789012:role/erasure";
const ASSUMED = `<AssumeRoleResponse><AssumeRoleResult><AssumedRoleUser><Arn>arn:aws:sts::1:assumed-role/erasure/x</Arn>
  </AssumedRoleUser><Credentials><AccessKeyId>AKID</AccessKeyId><SecretAccessKey>s/+=</SecretAccessKey>
  <SessionToken>token</SessionToken><Expiration>2026-11-23T09:00:00Z</Expiration></Credentials></AssumeRoleResult>
</AssumeRoleResponse>`;

describe("a role", () => {
  it("is assumed by a signed request, in a session that is named after its user", async () => {
    const { service, sent } = sts({ body: ASSUMED });
    expect(await assumeRole(service, { role: ROLE, session: "arn:aws:iam::1:user/alice" })).toEqual({
      accessKeyId: "AKID",
      secretAccessKey: "s/+=",
      sessionToken: "token",
      expiration: new Date("2026-11-23T09:00:00Z"),
    });
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      url: "https://sts.eu-central-1.amazonaws.com/",
      parameters: {
        Action: "AssumeRole",
        Version: "2011-06-15",
        RoleArn: ROLE,
        RoleSessionName: "arn-aws-iam--1-user-alice",
      },
    });
    expect(sent[0]?.authorization).toContain("/eu-central-1/sts/aws4_request");
  });

  it.each([
    ["a", "-a"],
    ["x".repeat(70), "x".repeat(64)],
  ])("has a session name that STS accepts, also for %s", async (session, name) => {
    const { service, sent } = sts({ body: ASSUMED });
    await assumeRole(service, { role: ROLE, session });
    expect(sent[0]?.parameters["RoleSessionName"]).toBe(name);
  });

  it("is named where STS refuses it", async () => {
    const body = "<ErrorResponse><Error><Code>AccessDenied</Code><Message>Not you.</Message></Error></ErrorResponse>";
    const { service, sent } = sts({ status: 403, body });
    const refused = assumeRole(service, { role: ROLE, session: "alice" });
    await expect(refused).rejects.toThrow(AwsAccessDeniedError);
    await expect(refused).rejects.toThrow(`The role ${ROLE}`);
    expect(sent).toHaveLength(1);
  });
});

describe("the caller", () => {
  const IDENTITY = "<GetCallerIdentityResult><Arn>arn:aws:iam::1:user/alice</Arn></GetCallerIdentityResult>";

  it("is named by an ARN", async () => {
    expect(await callerArn(sts({ body: IDENTITY }).service)).toBe("arn:aws:iam::1:user/alice");
  });

  it("is asked for again while STS is not available", async () => {
    const { service, sent } = sts({ status: 503, body: "" }, { status: 500, body: "" }, { body: IDENTITY });
    expect(await callerArn(service)).toBe("arn:aws:iam::1:user/alice");
    expect(sent).toHaveLength(3);
  });
});
