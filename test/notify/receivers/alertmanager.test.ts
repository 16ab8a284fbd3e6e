import { describe, expect, it } from "vitest";
import type { Notification } from "../../../src/notify/notification.ts";
import { notificationExample } from "../../support/notify/notification-example.ts";
import { ComposedBy } from "../../support/notify/opened-receiver.ts";

const alertmanager = new ComposedBy({ alertmanager: { url: "https://am.example/", labels: { severity: "page" } } });
const now = Date.parse("2026-06-01T00:10:00Z");

const SERIES = { kind: "CronJob", cluster: "prod-eu", namespace: "payments", name: "nightly", uid: "u2" };

interface Alert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly startsAt?: string;
  readonly endsAt: string;
}

function alertOf(said: Partial<Notification> = {}): Alert | undefined {
  const { body } = alertmanager.http([notificationExample(said)], now);
  return (JSON.parse(body) as readonly Alert[])[0];
}

describe("an alert of Alertmanager", () => {
  it("has the rule as its name, what it is about as labels, and the cause as annotations", () => {
    expect(alertmanager.http([notificationExample()]).url).toBe("https://am.example/api/v2/alerts");
    expect(alertOf()).toEqual({
      labels: {
        alertname: "failures",
        cluster: "prod-eu",
        namespace: "payments",
        kind: "Job",
        name: "charge-1",
        uid: "u1",
        severity: "page",
      },
      annotations: {
        summary: "Failed: OOMKilled in 3 of 3 attempts.",
        state: "Failed",
        reason: "BackoffLimitExceeded",
        key: "u1/1/failures/hook",
      },
      startsAt: "2026-06-01T00:00:00Z",
      endsAt: "2026-06-02T00:10:00Z",
      generatorURL: "https://outlive.example.org/#/job/prod-eu/payments/charge-1?uid=u1",
    });
  });

  it("has the same labels in each message, and ends with the last", () => {
    const at = "2026-06-01T00:05:00Z";
    const changed = alertOf({ kind: "changed", state: "Running", headline: "Running.", at, version: 2 });
    const resolved = alertOf({ kind: "resolved", state: "Complete", headline: "Over.", at, version: 3 });
    expect(changed?.labels).toEqual(alertOf()?.labels);
    expect(resolved?.labels).toEqual(alertOf()?.labels);
    expect(resolved).toMatchObject({ endsAt: at });
    expect(resolved).not.toHaveProperty("startsAt");
  });

  it.each([
    ["a day, if no message will end it", { state: "Running" }, "2026-06-02T00:10:00Z"],
    ["a day, if the Job is over", { resolves: true }, "2026-06-02T00:10:00Z"],
    ["thirty days, if a message will end it", { state: "Running", resolves: true }, "2026-07-01T00:10:00Z"],
    ["thirty days, about a series of failures", { subject: SERIES, resolves: true }, "2026-07-01T00:10:00Z"],
  ] as const)("lasts %s", (_, said, endsAt) => {
    expect(alertOf(said)?.endsAt).toBe(endsAt);
  });

  it("of a cluster whose clock is ahead starts and ends now", () => {
    const at = "2026-06-03T00:00:00Z";
    expect(alertOf({ at })).toMatchObject({ startsAt: "2026-06-01T00:10:00Z", endsAt: "2026-06-02T00:10:00Z" });
    expect(alertOf({ at, kind: "resolved" })?.endsAt).toBe("2026-06-01T00:10:00Z");
  });

  it("about a cluster has no empty label", () => {
    const subject = { kind: "Cluster", cluster: "prod-eu", namespace: "", name: "prod-eu", uid: "prod-eu" };
    expect(alertOf({ subject })?.labels).not.toHaveProperty("namespace");
  });

  it("describes the findings", () => {
    const findings = [{ kind: "LimitReached", message: "The limit ended the Job.", matched: true as const }];
    expect(alertOf({ findings })?.annotations).toMatchObject({ description: "LimitReached: The limit ended the Job." });
  });

  it("can be one of several in a request", () => {
    const two = [notificationExample(), notificationExample({ rule: "other" })];
    expect(JSON.parse(alertmanager.http(two).body)).toMatchObject([
      { labels: { alertname: "failures" } },
      { labels: { alertname: "other" } },
    ]);
  });

  it("goes to an address that may be a secret", () => {
    const secret = new ComposedBy({ alertmanager: { urlEnv: "AM" } }, { AM: "https://user:secret@am.example/prefix" });
    expect(secret.http([notificationExample()]).url).toBe("https://user:secret@am.example/prefix/api/v2/alerts");
  });
});
