import type { SendersByKind } from "../../src/notify/send-by-kind.ts";

/** Senders through AWS services. The client of a service is loaded with the first message to a receiver of its kind. */
export function sendersOnDemand(): Pick<SendersByKind, "eventbridge" | "sns"> {
  let eventbridge: Promise<SendersByKind["eventbridge"]> | undefined;
  let sns: Promise<SendersByKind["sns"]> | undefined;
  return {
    eventbridge: async (message) => {
      eventbridge ??= import("../../src/adapters/eventbridge/send-event.ts").then(
        ({ createEventBridgeClient, createEventSender }) => createEventSender(createEventBridgeClient()),
      );
      return (await eventbridge)(message);
    },
    sns: async (message) => {
      sns ??= import("../../src/adapters/sns/publish-message.ts").then(({ createSnsClient, createTopicSender }) =>
        createTopicSender(createSnsClient()),
      );
      return (await sns)(message);
    },
  };
}
