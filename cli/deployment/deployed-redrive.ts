import type { DeadLetters, IngestAgain } from "../../src/ingest/redrive.ts";
import type { RedriveRequest, RedriveResponse } from "../../src/ingest/redrive-request.ts";
import { invokeFunction } from "../../src/lambda/invoke-function.ts";
import { createLambdaClient } from "../../src/lambda/lambda-client.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import { createMessageQueue } from "../../src/sqs/message-queue.ts";
import { createSqsClient } from "../../src/sqs/sqs-client.ts";
import { deployedMeta } from "./deployed-meta.ts";
import { readDeployment } from "./deployment.ts";
import { CommandFailure } from "../../src/command-line/command-failure.ts";

export interface DeployedRedrive {
  readonly deadLetters: DeadLetters;
  readonly meta: MetaStore;
  readonly ingestAgain: IngestAgain;
}

/**
 * The dead-letter queue, the metadata store and the ingest function of a deployment. Redrive invokes the function
 * directly, because SQS replaces the sender of a message that is moved between queues.
 */
export async function openDeployedRedrive(stack: string): Promise<DeployedRedrive> {
  const deployment = await readDeployment(stack);
  const lambda = createLambdaClient();
  const name = deployment.output("IngestFunction");
  return {
    deadLetters: createMessageQueue(createSqsClient(), deployment.output("DlqUrl")),
    meta: deployedMeta(deployment.output("MetaTable")),
    ingestAgain: async (redrive) =>
      outcomesIn(name, await invokeFunction(lambda, name, { redrive } satisfies RedriveRequest)),
  };
}

function outcomesIn(name: string, answer: unknown): RedriveResponse["outcomes"] {
  if (typeof answer === "object" && answer !== null && "outcomes" in answer && Array.isArray(answer.outcomes)) {
    return (answer as RedriveResponse).outcomes;
  }
  throw new CommandFailure(2, `Function ${name} does not support redrive. Deploy this release, then try again.`);
}
