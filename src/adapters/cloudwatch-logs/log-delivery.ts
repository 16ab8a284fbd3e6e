import { gunzipSync } from "node:zlib";
import * as v from "valibot";

/** What a subscription of CloudWatch Logs delivered. */
export type LogDelivery =
  | {
      readonly outcome: "events";
      readonly logGroup: string;
      /** The text of each log event. */
      readonly messages: readonly string[];
    }
  /** CloudWatch Logs checks now and then whether it reaches the destination. Such a message has no log events. */
  | { readonly outcome: "control" }
  | { readonly outcome: "rejected"; readonly reason: string };

/**
 * Lambda accepts 1 MB of an asynchronous event, which gzip could expand a thousand times. CloudWatch Logs sends about
 * as much as PutLogEvents accepts, 1 MiB of text.
 */
const MAX_BYTES = 16 * 1024 * 1024;

const ENVELOPE = v.object({
  messageType: v.picklist(["DATA_MESSAGE", "CONTROL_MESSAGE"]),
  logGroup: v.string(),
  logEvents: v.array(v.object({ message: v.string() })),
});

/**
 * Decodes `awslogs.data` of a subscription's event: base64, gzip, JSON (CloudWatch Logs User Guide, "Using subscription
 * filters").
 */
export function decodeLogDelivery(data: string): LogDelivery {
  const text = unzipped(data);
  if (text === undefined) {
    return { outcome: "rejected", reason: `The data is not gzip in base64 of at most ${MAX_BYTES} bytes.` };
  }
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), ENVELOPE), text);
  if (!read.success) {
    return { outcome: "rejected", reason: `The data is no message of a subscription: ${read.issues[0].message}.` };
  }
  const { messageType, logGroup, logEvents } = read.output;
  if (messageType === "CONTROL_MESSAGE") return { outcome: "control" };
  return { outcome: "events", logGroup, messages: logEvents.map(({ message }) => message) };
}

function unzipped(data: string): string | undefined {
  try {
    return gunzipSync(Buffer.from(data, "base64"), { maxOutputLength: MAX_BYTES }).toString();
  } catch (cause) {
    // zlib: not gzip, cut off, or larger than allowed (RangeError).
    if (cause instanceof Error && "code" in cause) return undefined;
    throw cause;
  }
}
