import { createMessageQueue } from "../../src/sqs/message-queue.ts";
import { createSqsClient } from "../../src/sqs/sqs-client.ts";

/**
 * Sends the function a message that starts its next turn. Lambda stops such recursion after sixteen turns, unless the
 * function's RecursiveLoop is `Allow`.
 */
export function turnSender(queueUrl: string): () => Promise<void> {
  const queue = createMessageQueue(createSqsClient(), queueUrl);
  return async () => {
    const [sent] = await queue.send([{ body: "continue" }]);
    if (sent?.outcome !== "accepted") throw new TurnNotSentError(sent?.reason ?? "SQS did not respond.");
  };
}

/** The replay is paused until an operator continues it. */
class TurnNotSentError extends Error {
  override readonly name = "TurnNotSentError";

  constructor(reason: string) {
    super(`The replay could not send itself a message to continue. Invoke it with {"action":"continue"}. ${reason}`);
  }
}
