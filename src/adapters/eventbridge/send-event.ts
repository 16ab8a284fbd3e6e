import { EventBridgeClient, PutEventsCommand } from "@aws-sdk/client-eventbridge";
import { requestLimits } from "../aws/request-limits.ts";
import { unsentBecause, unsentMessage } from "../aws/unsent-message.ts";
import type { BusMessage, SendOf } from "../../ports/message-sender.ts";

/** A source cannot begin with `aws.`. Patterns of rules match the source exactly. */
const SOURCE = "outlive";
const REQUEST_MILLIS = 5_000;
/** The caller tries again for a day. */
const ATTEMPTS = 2;

/**
 * A client with the SDK's default settings: region, credentials and endpoint (`AWS_ENDPOINT_URL`) are in the
 * environment.
 */
export function createEventBridgeClient(): EventBridgeClient {
  return new EventBridgeClient({ maxAttempts: ATTEMPTS, requestHandler: requestLimits(REQUEST_MILLIS) });
}

/** Sends events with PutEvents. EventBridge accepts an event for a bus that does not exist, and drops it. */
export function createEventSender(client: EventBridgeClient): SendOf<BusMessage> {
  return async ({ bus, detailType, body, at }) => {
    const entry = { EventBusName: bus, Source: SOURCE, DetailType: detailType, Detail: body, Time: new Date(at) };
    try {
      const { Entries: [result] = [] } = await client.send(new PutEventsCommand({ Entries: [entry] }));
      const { ErrorCode: code, ErrorMessage: said = "" } = result ?? { ErrorCode: "NoResult" };
      return code === undefined ? { outcome: "accepted", status: 200 } : unsentMessage(code, said);
    } catch (cause) {
      return unsentBecause(cause);
    }
  };
}
