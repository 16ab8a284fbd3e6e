import { describe, expect, it } from "vitest";
import type { Notification } from "../../../src/notify/notification.ts";
import type { RECEIVER_KINDS } from "../../../src/notify/receivers/receiver-kinds.ts";
import { notificationExample } from "../../support/notify/notification-example.ts";
import { ComposedBy } from "../../support/notify/opened-receiver.ts";

const topic = "arn:aws:sns:eu-central-1:123456789012:batch";
const environment = { URL: "https://receiver.example/x", KEY: "k", MAIL: "smtp://mail.example" };
const urlEnv = "URL";

/** One receiver of each kind. */
const FORMS: Readonly<Record<keyof typeof RECEIVER_KINDS, object>> = {
  webhook: { urlEnv },
  slack: { urlEnv },
  teams: { urlEnv },
  pagerduty: { keyEnv: "KEY" },
  alertmanager: { urlEnv },
  heartbeat: { urlEnv },
  smtp: { urlEnv: "MAIL", from: "a@b.example", to: ["c@d.example"] },
  eventbridge: { bus: "batch" },
  sns: { topic },
  email: { topic },
  otlp: { urlEnv },
};

/** What people read of each message: all texts in some of its fields. */
const READ: Partial<Record<keyof typeof RECEIVER_KINDS, readonly string[]>> = {
  slack: ["blocks"],
  teams: ["body"],
  pagerduty: ["summary", "custom_details"],
  alertmanager: ["annotations"],
  heartbeat: [],
  smtp: [],
  email: [],
};

const matched = true as const;
const CASES: readonly (readonly [string, Partial<Notification>])[] = [
  ["a failed Job", {}],
  [
    "a Job with a finding whose clauses are in the headline",
    {
      headline: "Failed (DeadlineExceeded): 0 of 2 succeeded; the Job's activeDeadlineSeconds (16 s) passed.",
      findings: [
        {
          kind: "LimitReached",
          message: "The Job's activeDeadlineSeconds (16 s) passed; 2 Pods were deleted.",
          matched,
        },
        { kind: "StatusBehind", message: "The status was 10 s behind." },
      ],
    },
  ],
  [
    "a CronJob whose finding is the headline",
    {
      headline: "MissedRun: No run was created for the due time 2026-06-01T02:00:00Z; it may still start late.",
      subject: { kind: "CronJob", cluster: "prod-eu", namespace: "payments", name: "nightly", uid: "u2" },
      findings: [
        {
          kind: "MissedRun",
          message: "No run was created for the due time 2026-06-01T02:00:00Z; it may still start late.",
          matched,
        },
      ],
    },
  ],
  ["an update", { kind: "changed", key: "u1/2/failures/hook", version: 2 }],
  ["a condition that is over", { kind: "resolved", headline: "Over: the Job is Complete, without findings." }],
];

/** All texts of a document that are below some of its keys. */
function textsIn(value: unknown, keys: readonly string[], isRead = false): readonly string[] {
  if (typeof value === "string") return isRead ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, keys, isRead || keys.includes(key)));
}

function readText(kind: keyof typeof RECEIVER_KINDS, notification: Notification): string {
  const { message } = new ComposedBy({ [kind]: FORMS[kind] }, environment).compose([notification]);
  const keys = READ[kind] ?? [];
  if (keys.length > 0) return textsIn(JSON.parse(message.body), keys).join("\n");
  return "subject" in message ? `${message.subject ?? ""}\n${message.body}` : message.body;
}

describe.each(Object.keys(READ) as (keyof typeof READ)[])("a message of the kind %s", (kind) => {
  it.each(CASES)("about %s says no sentence twice", (_, said) => {
    const text = readText(kind, notificationExample(said));
    const sentences = text.split(/[.;]?\n|[.;] /).filter((one) => one.split(" ").length > 2);
    const seen = sentences.map((one) => one.toLowerCase().replace(/^(\w+: )+/, ""));
    expect(seen.filter((one, index) => seen.indexOf(one) !== index)).toEqual([]);
  });

  it("names the Job and its cause", () => {
    const text = readText(kind, notificationExample());
    expect(text).toContain("Failed: OOMKilled in 3 of 3 attempts.");
    if (kind !== "alertmanager") expect(text).toContain("Job prod-eu/payments/charge-1");
  });
});

it("each kind of receiver sends a message with a title", () => {
  for (const [kind, form] of Object.entries(FORMS)) {
    const { title, message } = new ComposedBy({ [kind]: form }, environment).compose([notificationExample()]);
    expect(title).toMatch(/Failed/);
    expect(message.body.length).toBeGreaterThan(0);
  }
});
