import { describe, expect, it } from "vitest";
import { isGrouping, requestOf } from "../../../src/notify/receivers/request-of.ts";
import type { ReceiverTarget } from "../../../src/notify/rules/rules.ts";
import { notificationExample } from "../../support/notify/notification-example.ts";

const SUBJECT = "[Outlive] Failed: Job prod-eu/payments/charge-1";
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

  it("is an event for a bus, and a message for a topic", () => {
    const carried = (target: ReceiverTarget) => requestOf({ name: "a", target, allowAddresses: [] }, [said], 0);
    const said = notificationExample();
    expect(carried({ kind: "eventbridge", bus: "batch" })).toMatchObject({ kind: "eventbridge", bus: "batch" });
    expect(carried({ kind: "sns", topic: "arn:t" })).not.toHaveProperty("subject");
    expect(carried({ kind: "email", topic: "arn:t" })).toMatchObject({ kind: "sns", topic: "arn:t", subject: SUBJECT });
  });
});
