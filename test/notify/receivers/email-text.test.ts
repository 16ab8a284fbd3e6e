import { expect, it } from "vitest";
import { emailLines, emailTitle } from "../../../src/notify/receivers/email-text.ts";
import { notificationExample } from "../../support/notify/notification-example.ts";

it("the subject of an e-mail names the state and the object, the text begins with the cause", () => {
  const notification = notificationExample();
  expect(emailTitle(notification)).toBe("[Outlive] Failed: Job prod-eu/payments/charge-1");
  expect(emailLines(notification).slice(0, 3)).toEqual([
    "Failed: OOMKilled in 3 of 3 attempts.",
    "",
    "Job prod-eu/payments/charge-1",
  ]);
});
