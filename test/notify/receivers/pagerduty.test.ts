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
});
