import * as v from "valibot";
import type { LogKey } from "../../ports/log.ts";
import { logKey } from "../../ports/records/log-key.ts";
import type { RefoldQueue } from "../../ports/refold-queue.ts";
import type { MessageQueue } from "./message-queue.ts";

/** Log keys as messages, one per key, so that a failing key does not affect the others. */
export function createSqsRefoldQueue(queue: Pick<MessageQueue, "send">): RefoldQueue {
  return {
    async send(keys, { afterSeconds = 0 } = {}) {
      const delayed = afterSeconds > 0 && { delaySeconds: afterSeconds };
      const outcomes = await queue.send(keys.map((key) => ({ body: encodeRefoldMessage(key), ...delayed })));
      const reasons = outcomes.flatMap((sent) => (sent.outcome === "accepted" ? [] : [sent.reason]));
      if (reasons.length > 0) throw new KeysNotTakenError(reasons);
    },
  };
}

/** The queue did not accept log keys: their segments must be delivered again. */
class KeysNotTakenError extends Error {
  override readonly name = "KeysNotTakenError";

  constructor(reasons: readonly string[]) {
    super(`The refold queue did not accept ${reasons.length} log keys. The first reason: ${reasons[0]}`);
  }
}

function encodeRefoldMessage({ pk, sk, pack }: LogKey): string {
  return JSON.stringify({ pk, sk, ...(pack && { pack: { shard: pack.shard, arrivedAt: pack.arrivedAt } }) });
}

/** The key in the body of a message; `undefined` where the body is not one. */
export function decodeRefoldMessage(body: string): LogKey | undefined {
  const read = v.safeParse(logKey, parse(body));
  return read.success ? read.output : undefined;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
