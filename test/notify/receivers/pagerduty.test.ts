import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { notificationExample } from "../../support/notify/notification-example.ts";
import { ComposedBy } from "../../support/notify/opened-receiver.ts";

const pagerduty = new ComposedBy({ pagerduty: { keyEnv: "PD_KEY" } }, { PD_KEY: "r0ut1ng" });
const event = (said: Parameters<typeof notificationExample>[0] = {}): Readonly<Record<string, unknown>> =>
  pagerduty.json([notificationExample(said)]) as Readonly<Record<string, unknown>>;

describe("an event for PagerDuty", () => {
  it("triggers an alert with the cause and the Job", () => {
    expect(event()).toMatchObject({
      routing_key: "r0ut1ng",
      event_action: "trigger",
      dedup_key: "prod-eu/u1/failures",
      payload: {
        summary: "Failed: OOMKilled in 3 of 3 attempts. (Job prod-eu/payments/charge-1)",
        source: "prod-eu/payments/charge-1",
        severity: "error",
        timestamp: "2026-06-01T00:00:00Z",
        component: "charge-1",
        group: "payments",
        class: "BackoffLimitExceeded",
      },
      links: [{ href: "https://outlive.example.org/#/job/prod-eu/payments/charge-1?uid=u1", text: "Open in Outlive" }],
    });
  });

  it("links to the logs of Pods", () => {
    const logs = [{ pod: "charge-1-x2x9s", name: "Grafana", container: "work", url: "https://grafana.example.org/a" }];
    expect(event({ logs })).toMatchObject({
      links: [
        { text: "Open in Outlive" },
        { href: "https://grafana.example.org/a", text: "Logs of charge-1-x2x9s, container work (Grafana)" },
      ],
    });
  });

  it("resolves that alert, and updates it with a correction", () => {
    expect(event({ kind: "resolved", version: 3 })).toMatchObject({
      event_action: "resolve",
      dedup_key: "prod-eu/u1/failures",
    });
    expect(event({ kind: "changed", version: 2 })).toMatchObject({
      event_action: "trigger",
      dedup_key: "prod-eu/u1/failures",
    });
  });

  it("has a summary and a dedup_key within the bounds of PagerDuty", () => {
    const { dedup_key: key, payload } = event({ rule: "r".repeat(300), headline: "h".repeat(2_000) });
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(payload).toMatchObject({ summary: "h".repeat(1_024) });
  });

  it("has the findings that the rule does not name by their kinds, and nothing that other fields have", () => {
    const findings = [
      { kind: "LimitReached", message: "The backoffLimit ended the Job.", matched: true as const },
      { kind: "StatusBehind", message: "behind" },
    ];
    expect(event({ findings })).toMatchObject({
      payload: {
        class: "LimitReached",
        custom_details: {
          key: "u1/1/failures/hook",
          uid: "u1",
          findings: ["LimitReached: The backoffLimit ended the Job.", "Other findings: StatusBehind."],
        },
      },
    });
    expect(JSON.stringify(event().payload).match(/OOMKilled/g)).toHaveLength(1);
  });

  it.each(["opened", "changed", "resolved"] as const)("has the documented form: %s", (kind) => {
    expect(EVENTS_V2(event({ kind }))).toBe(true);
    expect(EVENTS_V2({ ...event({ kind }), event_action: "open" })).toBe(false);
  });
});

/** https://developer.pagerduty.com/docs/send-alert-event, the table of fields, in our words. */
const text = (maxLength?: number) => ({ type: "string", minLength: 1, ...(maxLength !== undefined && { maxLength }) });
const EVENTS_V2 = new Ajv().compile({
  type: "object",
  required: ["routing_key", "event_action", "dedup_key", "payload"],
  additionalProperties: false,
  properties: {
    routing_key: text(),
    event_action: { enum: ["trigger", "acknowledge", "resolve"] },
    dedup_key: text(255),
    client: text(),
    client_url: text(),
    payload: {
      type: "object",
      required: ["summary", "source", "severity"],
      additionalProperties: false,
      properties: {
        summary: text(1_024),
        source: text(),
        severity: { enum: ["critical", "error", "warning", "info"] },
        timestamp: { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d" },
        component: text(),
        group: text(),
        class: text(),
        custom_details: { type: "object" },
      },
    },
    links: {
      type: "array",
      items: {
        type: "object",
        required: ["href"],
        additionalProperties: false,
        properties: { href: text(), text: text() },
      },
    },
    images: { type: "array" },
  },
});
