import { expect, it } from "vitest";
import { readNotification } from "../../src/notify/notification.ts";
import { notificationExample } from "../support/notify/notification-example.ts";

it("a stored notification is read back as it was stored", () => {
  const stored = notificationExample();
  expect(readNotification(JSON.stringify(stored))).toEqual(stored);
  expect(() => readNotification("{}")).toThrow();
});

it("a notification that version 0.1 has stored can still be read", () => {
  const stored = notificationExample({ findings: [{ kind: "MissedRun", message: "No run." }] });
  expect(readNotification(JSON.stringify(stored))).toEqual(stored);
});
