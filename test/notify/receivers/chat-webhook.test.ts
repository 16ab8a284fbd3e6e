import { expect, describe, it } from "vitest";
import * as v from "valibot";
import { chatWebhook } from "../../../src/notify/receivers/chat-webhook.ts";
import { notificationExample } from "../../support/notify/notification-example.ts";

const chat = v.parse(v.object({ chat: chatWebhook((some) => `${some.length} shown`) }), { chat: { urlEnv: "CHAT" } });
const URL = "https://chat.example.org/x";

describe("a webhook of a chat", () => {
  it("gets several notifications as one message, at a secret address", () => {
    const opened = chat.chat?.open({ environment: { CHAT: URL }, allowAddresses: ["10.0.0.0/8"] });
    const first = notificationExample();
    const composed = opened && "compose" in opened ? opened.compose([first, first], 0) : undefined;
    expect(chat.chat?.isGrouping).toBe(true);
    expect(composed).toMatchObject({
      title: expect.stringContaining("2 messages of rule") as string,
      message: { kind: "http", url: URL, body: "2 shown", allowAddresses: ["10.0.0.0/8"] },
    });
  });

  it("cannot be used without its variable", () => {
    expect(chat.chat?.open({ environment: {}, allowAddresses: [] })).toEqual({
      at: "urlEnv",
      problem: "The variable CHAT is not set.",
    });
  });
});
