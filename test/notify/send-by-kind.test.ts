import { expect, it } from "vitest";
import { sendByKind } from "../../src/notify/send-by-kind.ts";
import type { OutgoingMessage, SendResult } from "../../src/ports/message-sender.ts";

function answer(name: string): () => Promise<SendResult> {
  return async () => ({ outcome: "unreachable", problem: name });
}

it.each<OutgoingMessage>([
  { kind: "http", url: "https://a.example/", headers: {}, body: "", allowAddresses: [] },
  { kind: "eventbridge", bus: "b", detailType: "t", body: "{}", at: 0 },
  { kind: "sns", topic: "t", body: "{}", attributes: {}, group: "g", identity: "i" },
])("a message goes to the sender of its kind: %o", async (message) => {
  const send = sendByKind({ http: answer("http"), eventbridge: answer("eventbridge"), sns: answer("sns") });
  expect(await send(message)).toEqual({ outcome: "unreachable", problem: message.kind });
});
