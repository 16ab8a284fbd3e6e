import { setTimeout as wait } from "node:timers/promises";
import type { DeadLetterFeed } from "../../src/log/drain-dead-letters.ts";
import type { IngestAgain } from "../../src/log/redrive.ts";
import type { RedriveRequest, RedriveResponse } from "../../src/log/redrive-request.ts";
import { invokeFunction } from "../../src/adapters/lambda/invoke-function.ts";
import { enableMapping } from "../../src/adapters/lambda/enable-mapping.ts";
import { createLambdaClient } from "../../src/adapters/lambda/lambda-client.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import { queueDepth } from "../../src/adapters/sqs/queue-depth.ts";
import { createSqsClient } from "../../src/adapters/sqs/sqs-client.ts";
import { deployedMeta } from "./deployed-meta.ts";
import { readDeployment } from "./deployment.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";

export interface DeployedRedrive {
  readonly deadLetters: Omit<DeadLetterFeed, "isStopped">;
  readonly meta: MetaStore;
  readonly ingestAgain: IngestAgain;
}

/**
 * The dead-letter queue, the metadata store and the ingest function of a deployment. Lambda feeds dead letters to the
 * function, in AWS and in parallel. Messages that were set aside are sent by this command, each with its original
 * sender. SQS would replace the sender of a message that is moved between queues.
 */
export async function openDeployedRedrive(stage: string): Promise<DeployedRedrive> {
  const deployment = await readDeployment(stage);
  const lambda = createLambdaClient();
  const sqs = createSqsClient();
  const name = deployment.output("IngestFunction");
  return {
    deadLetters: {
      enable: (isEnabled) => enableMapping(lambda, deployment.output("RedriveMapping"), isEnabled),
      depth: () => queueDepth(sqs, deployment.output("DlqUrl")),
      pause: () => wait(LOOK_MILLIS),
    },
    meta: deployedMeta(deployment.output("MetaTable")),
    ingestAgain: async (redrive) =>
      outcomesIn(name, await invokeFunction(lambda, name, { redrive } satisfies RedriveRequest)),
  };
}

const LOOK_MILLIS = 2_000;

function outcomesIn(name: string, answer: unknown): RedriveResponse["outcomes"] {
  if (typeof answer === "object" && answer !== null && "outcomes" in answer && Array.isArray(answer.outcomes)) {
    return (answer as RedriveResponse).outcomes;
  }
  throw new CommandFailure(2, `Function ${name} does not support redrive. Deploy this release, then try again.`);
}
