import type { LogKey } from "../ports/log.ts";
import type { RefoldQueue } from "../ports/refold-queue.ts";
import type { MessageQueue } from "./message-queue.ts";

/** Log keys as messages, one each: what cannot be folded again harms none beside it. */
export function createSqsRefoldQueue(queue: Pick<MessageQueue, "send">): RefoldQueue {
  return {
    async send(keys, { afterSeconds = 0 } = {}) {
      const delayed = afterSeconds > 0 && { delaySeconds: afterSeconds };
      const outcomes = await queue.send(keys.map(({ pk, sk }) => ({ body: JSON.stringify({ pk, sk }), ...delayed })));
      const reasons = outcomes.flatMap((sent) => (sent.outcome === "accepted" ? [] : [sent.reason]));
      if (reasons.length > 0) throw new KeysNotTakenError(reasons);
    },
  };
}

/** Log keys stayed outside of the queue: whoever brought their segments is to bring them again. */
class KeysNotTakenError extends Error {
  override readonly name = "KeysNotTakenError";

  constructor(reasons: readonly string[]) {
    super(`${reasons.length} log keys to fold again were not taken by their queue. ${reasons[0]}`);
  }
}

/** The key in a message's body, or `undefined` where there is none. */
export function decodeRefoldMessage(body: string): LogKey | undefined {
  const parsed = parse(body);
  if (typeof parsed !== "object" || parsed === null || !("pk" in parsed) || !("sk" in parsed)) return undefined;
  const { pk, sk } = parsed;
  return typeof pk === "string" && typeof sk === "string" ? { pk, sk } : undefined;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
