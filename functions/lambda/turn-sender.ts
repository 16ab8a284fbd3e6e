import { createMessageQueue } from "../../src/sqs/message-queue.ts";
import { createSqsClient } from "../../src/sqs/sqs-client.ts";

/** Sends the function itself a message to go on. Lambda ends a loop of a function and a queue after some sixteen turns unless the function's RecursiveLoop is `Allow`. */
export function turnSender(queueUrl: string): () => Promise<void> {
  const queue = createMessageQueue(createSqsClient(), queueUrl);
  return async () => {
    const [sent] = await queue.send([{ body: "continue" }]);
    if (sent?.outcome !== "accepted") throw new TurnNotSentError(sent?.reason ?? "SQS did not answer.");
  };
}

/** The replay stands still until somebody continues it. */
class TurnNotSentError extends Error {
  override readonly name = "TurnNotSentError";

  constructor(reason: string) {
    super(
      `The replay paused and could not send itself a message to go on: invoke it with {"action":"continue"}. ${reason}`,
    );
  }
}
