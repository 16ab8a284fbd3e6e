import { describe, expect, it } from "vitest";
import type { Notification } from "../../../src/notify/notification.ts";
import { notificationExample } from "../../support/notify/notification-example.ts";
import { ComposedBy } from "../../support/notify/opened-receiver.ts";

const CHECK = "https://hc-ping.com/0b5b6d2e-6f1d-4a3f-9a43-1f0d4b7b2a11";
const heartbeat = new ComposedBy({ heartbeat: { urlEnv: "CHECK" } }, { CHECK });

function pinged(said: Partial<Notification>): string {
  return heartbeat.http([notificationExample(said)]).url.replace(CHECK, "");
}

describe("a heartbeat", () => {
  it.each([
    ["Complete", ""],
    ["Failed", "/fail"],
    ["Deleted", "/fail"],
    ["Interrupted", "/fail"],
    ["Running", "/start"],
    ["Pending", "/log"],
    ["Suspended", "/log"],
    ["Unknown", "/log"],
  ])("of a Job that is %s pings the check%s", (state, path) => {
    expect(pinged({ state })).toBe(path);
    expect(pinged({ state, kind: "changed" })).toBe(path);
  });

  it("is a success when the condition of the rule is over", () => {
    expect(pinged({ kind: "resolved", state: "Complete" })).toBe("");
    expect(pinged({ kind: "resolved", state: "Running" })).toBe("");
    const subject = { kind: "CronJob", cluster: "prod-eu", namespace: "payments", name: "nightly", uid: "u2" };
    expect(pinged({ kind: "resolved", state: "Failed", subject })).toBe("");
  });

  it.each(["Failed", "Deleted", "Interrupted"])(
    "is no success when the condition is over in a run that is %s",
    (state) => {
      expect(pinged({ kind: "resolved", state })).toBe("/fail");
      const subject = { kind: "JobSet", cluster: "prod-eu", namespace: "payments", name: "train", uid: "u3" };
      expect(pinged({ kind: "resolved", state, subject })).toBe("/fail");
    },
  );

  it("is a failure if the rule names a finding, and not if it does not", () => {
    const finding = { kind: "ReRunAfterSuccess", message: "twice" };
    expect(pinged({ state: "Complete", findings: [{ ...finding, matched: true }] })).toBe("/fail");
    expect(pinged({ state: "Complete", findings: [finding] })).toBe("");
    const { state: _, ...cluster } = notificationExample({ findings: [{ ...finding, matched: true }] });
    expect(heartbeat.http([cluster]).url).toBe(`${CHECK}/fail`);
  });

  it("has the cause as its text", () => {
    const { body, headers } = heartbeat.http([notificationExample()]);
    expect(headers).toEqual({ "content-type": "text/plain; charset=utf-8" });
    expect(body).toBe("Failed: OOMKilled in 3 of 3 attempts.\nJob prod-eu/payments/charge-1");
  });

  /** https://healthchecks.io/docs/http_api/: by UUID, or by ping key and slug, which may create the check. */
  it.each([
    ["https://hc-ping.com/fqOOd6-F4MMNuCEnzTU01w/nightly", "https://hc-ping.com/fqOOd6-F4MMNuCEnzTU01w/nightly/fail"],
    ["https://hc-ping.com/fqOOd6/nightly?create=1", "https://hc-ping.com/fqOOd6/nightly/fail?create=1"],
    ["https://checks.example.org/ping/u1/", "https://checks.example.org/ping/u1/fail"],
  ])("of the check %s fails at %s", (check, expected) => {
    expect(new ComposedBy({ heartbeat: { urlEnv: "C" } }, { C: check }).http([notificationExample()]).url).toBe(
      expected,
    );
  });
});
