import { describe, expect, it } from "vitest";
import { emailMessage, snsMessage } from "../../../src/notify/receivers/sns-message.ts";
import { notificationExample } from "../../support/notify/notification-example.ts";

const TOPIC = "arn:aws:sns:eu-central-1:123456789012:batch";
const CLUSTER = { kind: "Cluster", cluster: "prod-eu", namespace: "", name: "prod-eu", uid: "prod-eu" };

describe("a message for an SNS topic", () => {
  it("is the CloudEvent, with attributes for the filters of subscriptions", () => {
    const message = snsMessage(notificationExample(), TOPIC);
    expect(JSON.parse(message.body)).toMatchObject({ specversion: "1.0", id: "u1/1/failures/hook" });
    expect(message).toMatchObject({
      topic: TOPIC,
      group: "prod-eu/u1",
      identity: "u1/1/failures/hook",
      attributes: {
        key: "u1/1/failures/hook",
        kind: "opened",
        rule: "failures",
        cluster: "prod-eu",
        namespace: "payments",
        state: "Failed",
        subjectKind: "Job",
      },
    });
  });

  it("has no attribute without a value, which SNS would refuse", () => {
    const { state: _, ...silent } = notificationExample({ subject: CLUSTER });
    expect(Object.keys(snsMessage(silent, TOPIC).attributes)).not.toContain("namespace");
    expect(Object.values(snsMessage(silent, TOPIC).attributes)).not.toContain("");
  });
});

describe("an e-mail", () => {
  it("begins with the cause, and names the Job, the findings, the page and the message", () => {
    const findings = [{ kind: "LimitReached", message: "The backoffLimit ended the Job." }];
    expect(emailMessage(notificationExample({ findings }), TOPIC).body.split("\n")).toEqual([
      "Failed: OOMKilled in 3 of 3 attempts.",
      "",
      "Job prod-eu/payments/charge-1",
      "LimitReached: The backoffLimit ended the Job.",
      "https://outlive.example.org/#/job/prod-eu/payments/charge-1?uid=u1",
      "",
      "Rule failures. Message u1/1/failures/hook.",
    ]);
  });

  it("links to the logs of Pods", () => {
    const logs = [{ pod: "charge-1-x2x9s", name: "Grafana", url: "https://grafana.example.org/a" }];
    expect(emailMessage(notificationExample({ logs }), TOPIC).body.split("\n")).toContain(
      "Logs of charge-1-x2x9s (Grafana): https://grafana.example.org/a",
    );
  });

  it("says that it updates or resolves an earlier one, and which", () => {
    const changed = emailMessage(notificationExample({ kind: "changed", key: "u1/2/failures/mail" }), TOPIC);
    expect(changed.body).toMatch(/^Update: Failed: OOMKilled/);
    expect(changed.body).toMatch(/Message u1\/2\/failures\/mail, first message u1\/1\/failures\/hook\.$/);
    expect(changed.subject).toBe("[Outlive] Update: Failed: Job prod-eu/payments/charge-1");
    const resolved = emailMessage(notificationExample({ kind: "resolved" }), TOPIC);
    expect(resolved.body).toMatch(/^Resolved: /);
    expect(resolved.subject).toBe("[Outlive] Resolved: Job prod-eu/payments/charge-1");
  });

  it.each([
    ["a line break", "a\r\nBcc: victim@example.org", "a??Bcc: victim@example.org"],
    ["another script", "größe-任务", "gr??e-??"],
    ["a control character", "a\u0007b", "a?b"],
  ])("has a subject in which %s cannot add a header", (_, name, shown) => {
    const subject = { ...CLUSTER, kind: "Job", namespace: "p", name };
    expect(emailMessage(notificationExample({ subject }), TOPIC).subject).toBe(
      `[Outlive] Failed: Job prod-eu/p/${shown}`,
    );
  });

  it("has a subject of at most 99 characters, whatever the names", () => {
    const subject = { ...CLUSTER, kind: "Job", namespace: "p", name: "n".repeat(253) };
    const { subject: line = "" } = emailMessage(notificationExample({ subject }), TOPIC);
    expect(line).toHaveLength(99);
    expect(line).toMatch(/nnn\.\.\.$/);
    const exact = { ...subject, name: "n".repeat(99 - "[Outlive] Failed: Job prod-eu/p/".length) };
    expect(emailMessage(notificationExample({ subject: exact }), TOPIC).subject).toMatch(/n{60,}$/);
  });

  it("about a finding of a cluster names the finding", () => {
    const { state: _, ...silent } = notificationExample({ subject: CLUSTER });
    const findings = [{ kind: "ClusterSilent", message: "No data." }];
    expect(emailMessage({ ...silent, findings }, TOPIC).subject).toBe("[Outlive] ClusterSilent: Cluster prod-eu");
    expect(emailMessage({ ...silent, findings: [] }, TOPIC).subject).toBe("[Outlive] Problem: Cluster prod-eu");
  });
});
