import { describe, expect, it } from "vitest";
import { AwsAccessDeniedError, AwsResourceMissingError } from "../../../src/adapters/aws/aws-error.ts";
import type { SignedEndpoint } from "../../../src/adapters/aws/sign-request.ts";
import { readExecution, startExecution } from "../../../src/adapters/stepfunctions/executions.ts";

const MACHINE = "arn:aws:states:eu-central-1:000000000000:stateMachine:Replay";
const EXECUTION = "arn:aws:states:eu-central-1:000000000000:execution:Replay:one";

interface Sent {
  readonly url: string;
  readonly target: string | null;
  readonly authorization: string | null;
  readonly body: Readonly<Record<string, string>>;
}

/** Step Functions that gives these answers, in order. */
function stepFunctions(...answers: readonly { readonly status?: number; readonly body: object }[]) {
  const sent: Sent[] = [];
  const endpoint: SignedEndpoint = {
    region: async () => "eu-central-1",
    credentials: async () => ({ accessKeyId: "id", secretAccessKey: "secret" }),
    retry: { attempts: 3, pause: async () => {} },
    now: () => 0,
    fetch: async (url, init) => {
      const headers = new Headers(init?.headers);
      sent.push({
        url: url instanceof URL ? url.href : "",
        target: headers.get("x-amz-target"),
        authorization: headers.get("authorization"),
        body: JSON.parse(Buffer.from(init?.body as Uint8Array).toString()) as Sent["body"],
      });
      const { status = 200, body } = answers[sent.length - 1] ?? { status: 500, body: {} };
      return new Response(JSON.stringify(body), { status });
    },
  };
  return { endpoint, sent };
}

describe("an execution", () => {
  it("is started by a signed request that can be repeated: it has the same name each time", async () => {
    const { endpoint, sent } = stepFunctions({ status: 503, body: {} }, { body: { executionArn: EXECUTION } });
    expect(await startExecution(endpoint, MACHINE, { action: "begin" })).toBe(EXECUTION);
    const [first, second] = sent;
    expect(first).toMatchObject({
      url: "https://states.eu-central-1.amazonaws.com/",
      target: "AWSStepFunctions.StartExecution",
      body: { stateMachineArn: MACHINE, input: '{"action":"begin"}' },
    });
    expect(first?.authorization).toContain("/eu-central-1/states/aws4_request");
    expect(first?.body["name"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(second?.body).toEqual(first?.body);
  });

  it.each([
    [{ status: "RUNNING" }, { status: "running" }],
    [
      { status: "SUCCEEDED", output: '{"outcome":"switched"}' },
      { status: "succeeded", output: { outcome: "switched" } },
    ],
    [
      { status: "FAILED", error: "ReplayRefused", cause: "Another replay is running." },
      { status: "failed", error: "ReplayRefused", cause: "Another replay is running." },
    ],
    [{ status: "ABORTED" }, { status: "failed", error: "ABORTED", cause: "" }],
    [
      { status: "TIMED_OUT", error: null, cause: null },
      { status: "failed", error: "TIMED_OUT", cause: "" },
    ],
  ])("that Step Functions describes as %j is %j", async (body, execution) => {
    const { endpoint, sent } = stepFunctions({ body });
    expect(await readExecution(endpoint, EXECUTION)).toEqual(execution);
    expect(sent).toMatchObject([{ target: "AWSStepFunctions.DescribeExecution", body: { executionArn: EXECUTION } }]);
  });

  it("that may not be started, or does not exist, is an error that names it", async () => {
    const denied = stepFunctions({ status: 400, body: { __type: "AccessDeniedException", message: "no" } });
    await expect(startExecution(denied.endpoint, MACHINE, {})).rejects.toThrow(AwsAccessDeniedError);
    const missing = stepFunctions({ status: 400, body: { __type: "ExecutionDoesNotExist", message: "gone" } });
    const reading = readExecution(missing.endpoint, EXECUTION);
    await expect(reading).rejects.toThrow(AwsResourceMissingError);
    await expect(reading).rejects.toThrow(EXECUTION);
  });
});
