import { expect, it } from "vitest";
import { asManyAsFit, chatHeading, chatTitle, groupTitle, ruleLine } from "../../../src/notify/receivers/chat-texts.ts";
import { notificationExample } from "../../support/notify/notification-example.ts";

it("the title of a message to a chat is what it is about and the cause, or how many there are", () => {
  const one = notificationExample();
  expect(chatTitle([one])).toBe(`${chatHeading(one)}: Failed: OOMKilled in 3 of 3 attempts.`);
  expect(chatTitle([one, one])).toBe(groupTitle([one, one]));
  expect(groupTitle([one, one])).toBe("🔴 2 messages of rule failures about prod-eu/payments");
});

it("an update of a chat names the first message", () => {
  expect(ruleLine(notificationExample())).toBe("Rule failures");
  const update = notificationExample({ kind: "changed", version: 2 });
  expect(ruleLine(update)).toBe("Rule failures, update 2 of u1/1/failures/hook");
});

it.each([
  [30, 100, 20],
  [5, 100, 5],
  [5, 3, 3],
  [5, 0, 1],
])("a message to a chat about %i shows as many as fit, if %i fit: %i", (number, room, shown) => {
  const one = notificationExample();
  const many = [one, ...Array.from({ length: number - 1 }, () => one)] as const;
  expect(asManyAsFit(many, { make: (most) => most, fits: (most) => most <= room })).toBe(shown);
});
