import { describe, expect, it } from "vitest";
import { isGrouping, requestOf } from "../../../src/notify/receivers/request-of.ts";
import type { ReceiverTarget } from "../../../src/notify/rules/rules.ts";
import { notificationExample } from "../../support/notify/notification-example.ts";

const url = "https://receiver.example/";

describe("the request to a receiver", () => {
  it.each<[ReceiverTarget, string, boolean]>([
    [{ kind: "webhook", url }, '"specversion":"1.0"', false],
    [{ kind: "slack", url }, '"blocks":', true],
    [{ kind: "pagerduty", url, routingKey: "r" }, '"event_action":"trigger"', false],
  ])("has the form of its kind: %o", (target, part, groups) => {
    const receiver = { name: "a", target, allowAddresses: ["10.0.0.0/8"] };
    const request = requestOf(receiver, [notificationExample()], 0);
    expect(request).toMatchObject({ url, allowAddresses: ["10.0.0.0/8"] });
    expect(request.body).toContain(part);
    expect(isGrouping(receiver)).toBe(groups);
  });
});
