import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Notification } from "../../../src/notify/notification.ts";
import { notificationExample } from "../../support/notify/notification-example.ts";
import { ComposedBy } from "../../support/notify/opened-receiver.ts";

const url = "https://hooks.example.org/outlive";
const now = Date.parse("2026-06-01T00:00:07.900Z");

describe("a message to a webhook", () => {
  it("is a CloudEvent whose identity is that of the delivery", () => {
    const { headers, body } = new ComposedBy({ webhook: { url } }).http([notificationExample()], now);
    expect(headers).toEqual({
      "content-type": "application/cloudevents+json; charset=utf-8",
      "webhook-id": "u1/1/failures/hook",
      "webhook-timestamp": String(Date.parse("2026-06-01T00:00:07Z") / 1_000),
    });
    const event = JSON.parse(body) as { readonly data: Notification };
    expect(event).toMatchObject({
      specversion: "1.0",
      id: "u1/1/failures/hook",
      source: "/outlive/clusters/prod-eu",
      type: "outlive.notification.opened",
      subject: "payments/charge-1",
      time: "2026-06-01T00:00:00Z",
      datacontenttype: "application/json",
    });
    expect(event.data).toEqual(notificationExample());
  });

  it.each([
    ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64")],
    ["any text", Buffer.from("any text")],
  ])("is signed as Standard Webhooks describe it, with secret %s", (secret, key) => {
    const signing = new ComposedBy({ webhook: { url, secretEnv: "HOOK" } }, { HOOK: secret });
    const { headers, body } = signing.http([notificationExample()], now);
    const content = `${headers["webhook-id"] ?? ""}.${headers["webhook-timestamp"] ?? ""}.${body}`;
    const signature = createHmac("sha256", key).update(content).digest("base64");
    expect(headers["webhook-signature"]).toBe(`v1,${signature}`);
    expect(body).not.toContain(secret);
  });
});
