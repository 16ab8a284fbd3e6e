import { expect, it } from "vitest";
import { notificationExample } from "../../support/notify/notification-example.ts";
import { ComposedBy } from "../../support/notify/opened-receiver.ts";

const eventbridge = new ComposedBy({ eventbridge: { bus: "batch" } });

it("an event for EventBridge is the notification, with the identity of the delivery in its detail", () => {
  const said = notificationExample({ kind: "changed", version: 2, key: "u1/2/failures/bus" });
  const event = eventbridge.message("eventbridge", [said]);
  expect(event).toMatchObject({
    kind: "eventbridge",
    bus: "batch",
    detailType: "outlive.notification.changed",
    at: Date.parse("2026-06-01T00:00:00Z"),
  });
  expect(JSON.parse(event.body)).toEqual(said);
});

it("the largest event is below the 256 KB of PutEvents", () => {
  const text = "ü".repeat(300);
  const name = "n".repeat(253);
  const findings = Array.from({ length: 50 }, () => ({ kind: "ReRunAfterSuccess", message: text }));
  const subject = { kind: "CronJob", cluster: name, namespace: name, name, uid: name };
  const largest = notificationExample({ headline: text, reason: text, findings, subject, link: name.repeat(4) });
  expect(Buffer.byteLength(eventbridge.message("eventbridge", [largest]).body)).toBeLessThan(65_536);
});
