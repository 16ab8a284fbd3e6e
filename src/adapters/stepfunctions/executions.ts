import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { awsError } from "../aws/aws-error.ts";
import { callJson, type JsonService } from "../aws/json-api.ts";
import type { SignedEndpoint } from "../aws/sign-request.ts";

const STEP_FUNCTIONS: JsonService = {
  name: "Step Functions",
  signingName: "states",
  host: "states",
  target: "AWSStepFunctions",
  throttles: ["ThrottlingException"],
};

const started = v.object({ executionArn: v.string() });
const described = v.looseObject({
  status: v.string(),
  output: v.nullish(v.string()),
  error: v.nullish(v.string()),
  cause: v.nullish(v.string()),
});

/** `failed`: the state machine ended with an error of its own, was stopped, or took too long. */
export type Execution =
  | { readonly status: "running" }
  | { readonly status: "succeeded"; readonly output: unknown }
  | { readonly status: "failed"; readonly error: string; readonly cause: string };

/**
 * Starts an execution and returns its ARN. The request can be repeated, because the execution has a name: while it
 * runs, the same name and input give the same execution (Step Functions API, StartExecution). Throws an AwsError.
 */
export async function startExecution(endpoint: SignedEndpoint, machine: string, input: object): Promise<string> {
  const body = { stateMachineArn: machine, name: randomUUID(), input: JSON.stringify(input) };
  const request = { action: "StartExecution", body };
  try {
    return v.parse(started, await callJson(STEP_FUNCTIONS, endpoint, request)).executionArn;
  } catch (cause) {
    throw awsError(`State machine ${machine}`, cause);
  }
}

/** The status of an execution, a second late at most. Throws an AwsError. */
export async function readExecution(endpoint: SignedEndpoint, execution: string): Promise<Execution> {
  const request = { action: "DescribeExecution", body: { executionArn: execution } };
  try {
    const { status, output, error, cause } = v.parse(described, await callJson(STEP_FUNCTIONS, endpoint, request));
    if (status === "RUNNING" || status === "PENDING_REDRIVE") return { status: "running" };
    if (status === "SUCCEEDED") return { status: "succeeded", output: JSON.parse(output ?? "null") };
    return { status: "failed", error: error ?? status, cause: cause ?? "" };
  } catch (cause) {
    throw awsError(`Execution ${execution}`, cause);
  }
}
