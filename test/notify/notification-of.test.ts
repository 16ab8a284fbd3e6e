import { describe, expect, it } from "vitest";
import { readNotification } from "../../src/notify/notification.ts";
import { notificationOf } from "../../src/notify/notification-of.ts";
import type { Transition } from "../../src/notify/judge.ts";
import { notificationExample } from "../support/notify/notification-example.ts";
import { failedJob, ruleOf, runningJob } from "../support/story/notified.ts";

const opened: Transition = {
  rule: ruleOf(),
  kind: "opened",
  version: 1,
  firstVersion: 1,
  matched: { state: "Failed", findings: ["LimitReached"] },
  isAnnounced: true,
};
const options = { receiver: "hook", page: "https://outlive.example.org" };

describe("a notification", () => {
  it("has its identity, the cause, all findings, first those that the rule names, and a link", () => {
    const findings = [
      { kind: "StatusBehind", message: "behind" },
      { kind: "LimitReached", message: "limit" },
    ];
    expect(notificationOf(opened, failedJob({ findings }), options)).toEqual(
      notificationExample({
        findings: [
          { kind: "LimitReached", message: "limit", matched: true },
          { kind: "StatusBehind", message: "behind" },
        ],
      }),
    );
  });

  it("counts the findings beyond 50", () => {
    const findings = Array.from({ length: 53 }, (_, index) => ({ kind: "StatusBehind", message: `${index}` }));
    const many = notificationOf(opened, failedJob({ findings }), options);
    expect(many.findings).toHaveLength(50);
    expect(many.findingsBeyond).toBe(3);
  });

  it("says whether a message will follow when it is over", () => {
    const resolving: Transition = { ...opened, rule: ruleOf({ resolve: true }) };
    expect(notificationOf(resolving, runningJob(), options)).toMatchObject({ resolves: true });
    expect(notificationOf({ ...resolving, kind: "resolved" }, runningJob(), options)).not.toHaveProperty("resolves");
  });

  it("about a series has a short first line, too", () => {
    const ended = { name: "nightly-1", state: "Failed", reason: `a\u202e${"x".repeat(400)}`, createdAt: 0 } as const;
    const alert: Transition = { ...opened, rule: ruleOf({ series: { failureThreshold: 1, recoveryThreshold: 1 } }) };
    const { headline } = notificationOf(alert, failedJob({ kind: "CronJob", runs: [ended] }), options);
    expect(headline).toMatch(/^The last run failed at .{200,}…$/);
    expect(headline).toHaveLength(300);
    expect(headline).not.toContain("\u202e");
  });

  it("says who is responsible for the cause, and whether a retry helps, also when it is read again", () => {
    const who = { responsible: "limit", retry: "more-memory" } as const;
    const notification = notificationOf(opened, failedJob(who), options);
    expect(notification).toMatchObject(who);
    expect(readNotification(JSON.stringify(notification))).toEqual(notification);
  });

  it("refers to the first message", () => {
    const changed: Transition = { ...opened, kind: "changed", version: 3 };
    expect(notificationOf(changed, failedJob(), options)).toMatchObject({
      key: "u1/3/failures/hook",
      firstKey: "u1/1/failures/hook",
    });
  });

  it("says what a Job is when it is over", () => {
    const over: Transition = { ...opened, kind: "resolved", version: 2, matched: { findings: [] } };
    const complete = runningJob({ state: "Complete" });
    expect(notificationOf(over, complete, options).headline).toBe("Over: the Job is Complete, without findings.");
    const { state: _, ...cluster } = runningJob({ kind: "Cluster", findings: [] });
    expect(notificationOf(over, cluster, options).headline).toBe("Over: nothing that this rule names.");
  });

  it.each([
    ["CronJob", "https://outlive.example.org/#/cronjobs/prod-eu/payments/charge-1"],
    ["Cluster", "https://outlive.example.org/#/clusters"],
  ] as const)("about a %s links to its page", (kind, link) => {
    expect(notificationOf(opened, runningJob({ kind }), options).link).toBe(link);
  });

  it("about a run links to its page", () => {
    const run = runningJob({ kind: "Run", runKind: "JobSet", uid: "js 1" });
    expect(notificationOf(opened, run, options).link).toBe(
      "https://outlive.example.org/#/runs/prod-eu/payments/jobset/charge-1?uid=js%201",
    );
  });

  it("has no link without the address of the page", () => {
    expect(notificationOf(opened, failedJob(), { receiver: "hook" }).link).toBeUndefined();
  });

  it("about a CronJob begins with the finding that the rule names", () => {
    const findings = [
      { kind: "TrendSlower", message: "slow" },
      { kind: "LimitReached", message: "named" },
    ];
    expect(notificationOf(opened, runningJob({ kind: "CronJob", findings }), options).headline).toBe(
      "LimitReached: named",
    );
  });
});
