import { describe, expect, it } from "vitest";
import { rehearsedRow } from "../../../cli/rules/rehearsed-row.ts";
import { requestOf } from "../../../src/notify/receivers/request-of.ts";
import type { ReceiverTarget } from "../../../src/notify/rules/rules.ts";
import type { OutgoingMessage } from "../../../src/ports/message-sender.ts";
import { notificationExample } from "../../support/notify/notification-example.ts";

const message = (request: OutgoingMessage): string => rehearsedRow({ at: 0, receiver: "a", request }).message;
const url = "https://hooks.example.org/a";
const TARGETS: readonly ReceiverTarget[] = [
  { kind: "webhook", url },
  { kind: "slack", url },
  { kind: "pagerduty", url, routingKey: "r0ut1ng" },
  { kind: "eventbridge", bus: "batch" },
  { kind: "sns", topic: "arn:aws:sns:eu-central-1:123456789012:batch" },
  { kind: "email", topic: "arn:aws:sns:eu-central-1:123456789012:batch" },
];

describe("the line of a rehearsed message", () => {
  it.each(TARGETS)("has the headline in the form of $kind", (target) => {
    const request = requestOf({ name: "a", target, allowAddresses: [] }, [notificationExample()], 0);
    expect(message(request)).toContain("Failed: OOMKilled in 3 of 3 attempts.");
    expect(message(request)).not.toContain("{");
  });

  it("is the JSON of a form that no other line describes", () => {
    const body = '{ "alias": "prod-eu/u1" }';
    expect(message({ kind: "http", url, headers: {}, body, allowAddresses: [] })).toBe('{"alias":"prod-eu/u1"}');
  });
});
