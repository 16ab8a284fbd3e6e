import { describe, expect, it } from "vitest";
import type { Notification } from "../../../src/notify/notification.ts";
import { notificationExample } from "../../support/notify/notification-example.ts";
import { ComposedBy, receiverOf } from "../../support/notify/opened-receiver.ts";

const form = { urlEnv: "SMTP_URL", from: "outlive@example.org", to: ["ops@example.org"] };
const SMTP_URL = "smtp://user:secret@mail.example.org:2525";
const smtp = new ComposedBy({ smtp: form }, { SMTP_URL });

function mail(said: Partial<Notification> = {}) {
  return smtp.message("smtp", [notificationExample(said)]);
}

describe("a message to a mail server", () => {
  it("has the state and the Job as its subject, and the cause in its first line", () => {
    const { url, from, to, subject, body, at } = mail();
    expect({ url, from, to, at }).toEqual({
      url: SMTP_URL,
      from: "outlive@example.org",
      to: ["ops@example.org"],
      at: Date.parse("2026-06-01T00:00:00Z"),
    });
    expect(subject).toBe("[Outlive] Failed: Job prod-eu/payments/charge-1");
    expect(body).toMatch(/^Failed: OOMKilled in 3 of 3 attempts\.\n\nJob prod-eu\/payments\/charge-1\n/);
  });

  it("has the same identity each time, and refers to the first message", () => {
    const { messageId } = mail();
    expect(messageId).toMatch(/^<[0-9a-f]{32}@example\.org>$/);
    expect(mail({ headline: "Another text." }).messageId).toBe(messageId);
    expect(mail()).not.toHaveProperty("references");
    const changed = mail({ kind: "changed", key: "u1/2/failures/mail" });
    expect(changed).toMatchObject({ references: messageId });
    expect(changed.messageId).not.toBe(messageId);
  });

  it.each([
    [{ ...form, to: [] }, {}, "Name at least one address."],
    [{ ...form, to: ["ops"] }, {}, "Expected an e-mail address"],
    [{ ...form, from: "a@b.example\r\nBcc: c@d.example" }, {}, "Expected an e-mail address"],
    [form, { SMTP_URL: "https://mail.example.org" }, "The value of SMTP_URL is not an smtp or smtps URL."],
    [form, { SMTP_URL: "smtp://user:50%@mail.example.org" }, "Write % as %25 in the user or password of SMTP_URL."],
  ])("needs addresses and a server: %j", (said, environment, problem) => {
    expect(() => receiverOf({ smtp: said }, { SMTP_URL, ...environment })).toThrow(problem);
  });
});
