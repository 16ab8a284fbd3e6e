import type { Notification } from "../../../src/notify/notification.ts";

/** A message about a failed Job. */
export function notificationExample(said: Partial<Notification> = {}): Notification {
  return {
    key: "u1/1/failures/hook",
    kind: "opened",
    firstKey: "u1/1/failures/hook",
    rule: "failures",
    subject: { kind: "Job", cluster: "prod-eu", namespace: "payments", name: "charge-1", uid: "u1" },
    version: 1,
    state: "Failed",
    reason: "BackoffLimitExceeded",
    headline: "Failed: OOMKilled in 3 of 3 attempts.",
    findings: [],
    at: "2026-06-01T00:00:00Z",
    link: "https://outlive.example.org/#/job/prod-eu/payments/charge-1?uid=u1",
    ...said,
  };
}
