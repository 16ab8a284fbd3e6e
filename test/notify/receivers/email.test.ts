import { describe, expect, it } from "vitest";
import { notificationExample } from "../../support/notify/notification-example.ts";
import { ComposedBy } from "../../support/notify/opened-receiver.ts";

const email = new ComposedBy({ email: { topic: "arn:aws:sns:eu-central-1:123456789012:batch" } });
const CLUSTER = { kind: "Cluster", cluster: "prod-eu", namespace: "", name: "prod-eu", uid: "prod-eu" };

describe("an e-mail", () => {
  it("begins with the cause, and names the Job, the findings, the page and the message", () => {
    const findings = [{ kind: "LimitReached", message: "The backoffLimit ended the Job.", matched: true as const }];
    expect(email.message("sns", [notificationExample({ findings })]).body.split("\n")).toEqual([
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
    expect(email.message("sns", [notificationExample({ logs })]).body.split("\n")).toContain(
      "Logs of charge-1-x2x9s (Grafana): https://grafana.example.org/a",
    );
  });

  it("says that it updates or resolves an earlier one, and which", () => {
    const changed = email.message("sns", [notificationExample({ kind: "changed", key: "u1/2/failures/mail" })]);
    expect(changed.body).toMatch(/^Update: Failed: OOMKilled/);
    expect(changed.body).toMatch(/Message u1\/2\/failures\/mail, first message u1\/1\/failures\/hook\.$/);
    expect(changed.subject).toBe("[Outlive] Update: Failed: Job prod-eu/payments/charge-1");
    const resolved = email.message("sns", [notificationExample({ kind: "resolved" })]);
    expect(resolved.body).toMatch(/^Resolved: /);
    expect(resolved.subject).toBe("[Outlive] Resolved: Job prod-eu/payments/charge-1");
  });

  it.each([
    ["a line break", "a\r\nBcc: victim@example.org", "a??Bcc: victim@example.org"],
    ["another script", "größe-任务", "gr??e-??"],
    ["a control character", "a\u0007b", "a?b"],
  ])("has a subject in which %s cannot add a header", (_, name, shown) => {
    const subject = { ...CLUSTER, kind: "Job", namespace: "p", name };
    expect(email.message("sns", [notificationExample({ subject })]).subject).toBe(
      `[Outlive] Failed: Job prod-eu/p/${shown}`,
    );
  });

  it("has a subject of at most 99 characters, whatever the names", () => {
    const subject = { ...CLUSTER, kind: "Job", namespace: "p", name: "n".repeat(253) };
    const { subject: line = "" } = email.message("sns", [notificationExample({ subject })]);
    expect(line).toHaveLength(99);
    expect(line).toMatch(/nnn\.\.\.$/);
    const exact = { ...subject, name: "n".repeat(99 - "[Outlive] Failed: Job prod-eu/p/".length) };
    expect(email.message("sns", [notificationExample({ subject: exact })]).subject).toMatch(/n{60,}$/);
  });

  it("about a finding of a cluster names the finding", () => {
    const { state: _, ...silent } = notificationExample({ subject: CLUSTER });
    const findings = [{ kind: "ClusterSilent", message: "No data." }];
    expect(email.message("sns", [{ ...silent, findings }]).subject).toBe("[Outlive] ClusterSilent: Cluster prod-eu");
    expect(email.message("sns", [{ ...silent, findings: [] }]).subject).toBe("[Outlive] Problem: Cluster prod-eu");
  });
});
