import { AwsError } from "../../src/adapters/aws/aws-error.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { FunctionFailedError, invokeFunction } from "../../src/adapters/lambda/invoke-function.ts";
import { createLambdaClient } from "../../src/adapters/lambda/lambda-client.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import { isRetainResponse, RETAIN_SECONDS, type RetainRequest } from "../../src/upkeep/retention/retain-request.ts";
import { errorMessage } from "../../src/job/text/error-message.ts";
import { deployedMeta } from "./deployed-meta.ts";
import { readDeployment } from "./deployment.ts";

/** The rules and legal holds of a deployment, and the function that applies them to its stored Jobs. */
export interface DeployedRetention {
  readonly stage: string;
  readonly meta: MetaStore;
  /** Applies changes to stored Jobs, for some seconds. `failed`: the function's schedule will do it later. */
  readonly retain: () => Promise<Retained>;
}

export type Retained = { readonly outcome: "ran" } | { readonly outcome: "failed"; readonly reason: string };

/** Throws CommandFailure where the deployment has no archive: then nothing guards what expires. */
export async function openDeployedRetention(stage: string): Promise<DeployedRetention> {
  const { output, optional } = await readDeployment(stage);
  const name = optional("RetainFunction");
  if (name === undefined) {
    throw new CommandFailure(
      2,
      `Stage ${stage} has no archive, so that all its Jobs are kept for the same time. ` +
        "Rules of retention and legal holds need an archive: deploy it with -c archive=true.",
    );
  }
  const lambda = createLambdaClient();
  const request: RetainRequest = { seconds: RETAIN_SECONDS };
  return {
    stage,
    meta: deployedMeta(output("MetaTable")),
    retain: async () => {
      const answer = await invokeFunction(lambda, name, request).catch(failureOf);
      if (answer instanceof Error) return { outcome: "failed", reason: errorMessage(answer) };
      if (isRetainResponse(answer)) return { outcome: "ran" };
      const reason = `function ${name} is of an earlier release, which knows no rules and holds: deploy this release`;
      return { outcome: "failed", reason };
    },
  };
}

function failureOf(cause: unknown): Error {
  if (cause instanceof AwsError || cause instanceof FunctionFailedError) return cause;
  throw cause;
}
