import type {
  BusMessage,
  HttpMessage,
  MailMessage,
  SendMessage,
  SendOf,
  TopicMessage,
  TraceMessage,
} from "../../ports/message-sender.ts";
import { createHttpSender, type SenderOptions } from "../../adapters/webhook/send-message.ts";
import type { TraceSenderPorts } from "../../notify/traces/send-trace.ts";

export interface MessageSenderOptions extends Pick<SenderOptions, "refusesLoopback"> {
  /** Where the runs of traces are read. @default traces are refused */
  readonly traces?: Omit<TraceSenderPorts, "post">;
}

/** Sends messages of all kinds. What only one kind needs, such as a client of AWS, is loaded with its first message. */
export function createMessageSender(options: MessageSenderOptions = {}): SendMessage {
  const http = createHttpSender(options);
  const events = once(loadEventSender);
  const topics = once(loadTopicSender);
  const mails = once(() => loadMailSender(options));
  const traces = once(() => loadTraceSender(options.traces, http));
  return async (message) => {
    switch (message.kind) {
      case "http":
        return http(message);
      case "eventbridge":
        return (await events())(message);
      case "sns":
        return (await topics())(message);
      case "smtp":
        return (await mails())(message);
      case "trace":
        return (await traces())(message);
    }
  };
}

async function loadEventSender(): Promise<SendOf<BusMessage>> {
  const { createEventBridgeClient, createEventSender } = await import("../../adapters/eventbridge/send-event.ts");
  return createEventSender(createEventBridgeClient());
}

async function loadTopicSender(): Promise<SendOf<TopicMessage>> {
  const { createSnsClient, createTopicSender } = await import("../../adapters/sns/publish-message.ts");
  return createTopicSender(createSnsClient());
}

async function loadMailSender(options: SenderOptions): Promise<SendOf<MailMessage>> {
  const { createMailSender } = await import("../../adapters/smtp/send-mail.ts");
  return createMailSender(options);
}

async function loadTraceSender(
  ports: MessageSenderOptions["traces"],
  post: SendOf<HttpMessage>,
): Promise<SendOf<TraceMessage>> {
  if (ports === undefined) return async () => ({ outcome: "refused", problem: "this process reads no runs" });
  const { createTraceSender } = await import("../../notify/traces/send-trace.ts");
  return createTraceSender({ ...ports, post });
}

function once<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let created: Promise<Value> | undefined;
  return () => {
    created ??= create();
    return created;
  };
}
