import { describe, expect, it } from "vitest";
import type { Notification } from "../../../src/notify/notification.ts";
import { escapeSlack } from "../../../src/notify/receivers/slack.ts";
import { notificationExample } from "../../support/notify/notification-example.ts";
import { ComposedBy } from "../../support/notify/opened-receiver.ts";

interface SlackMessage {
  readonly text: string;
  readonly mrkdwn: boolean;
  readonly blocks: readonly {
    readonly type: string;
    readonly text: { readonly type: string; readonly text: string };
    readonly accessory?: { readonly url: string };
    readonly elements?: readonly { readonly text: { readonly text: string } }[];
  }[];
}

const slack = new ComposedBy({ slack: { urlEnv: "SLACK_URL" } }, { SLACK_URL: "https://slack.example/T/secret" });

function sent(...notifications: readonly Notification[]): SlackMessage {
  return slack.json(notifications) as SlackMessage;
}

describe("a message to Slack", () => {
  it("has what it is about and the cause in the text that notifications show", () => {
    expect(sent(notificationExample()).text).toBe(
      "🔴 Job prod-eu/payments/charge-1: Failed: OOMKilled in 3 of 3 attempts.",
    );
  });

  it("names the Job, then the cause and the rule, and links to the Job", () => {
    const { blocks } = sent(notificationExample());
    expect(blocks.map((block) => block.text.text)).toEqual([
      "🔴 Job prod-eu/payments/charge-1\nFailed: OOMKilled in 3 of 3 attempts.\nRule failures",
    ]);
    expect(blocks[0]?.accessory?.url).toContain("#/job/prod-eu/payments/charge-1");
  });

  it("has a button for the logs of each Pod", () => {
    const logs = [
      { pod: "charge-1-x2x9s", name: "Grafana", url: "https://grafana.example.org/a" },
      { pod: "p".repeat(80), name: "Grafana", container: "work", url: "https://grafana.example.org/b" },
      { pod: "charge-1-long", name: "Grafana", url: `https://grafana.example.org/${"x".repeat(3_000)}` },
    ];
    const [, actions] = sent(notificationExample({ logs })).blocks;
    expect(actions).toEqual({
      type: "actions",
      elements: [
        {
          type: "button",
          text: { type: "plain_text", text: "Logs of charge-1-x2x9s (Grafana)", emoji: false },
          url: "https://grafana.example.org/a",
        },
        {
          type: "button",
          text: { type: "plain_text", text: `Logs of ${"p".repeat(66)}…`, emoji: false },
          url: "https://grafana.example.org/b",
        },
      ],
    });
  });

  it("says that it is an update, of which message, or that it is over", () => {
    const changed = notificationExample({ kind: "changed", key: "u1/2/failures/hook", version: 2 });
    expect(sent(changed).text).toMatch(/^✏️ Update: Job prod-eu/);
    expect(sent(changed).blocks[0]?.text.text).toContain("update 2 of u1/1/failures/hook");
    expect(sent(notificationExample({ kind: "resolved" })).text).toMatch(/^✅ Resolved: /);
  });

  it("about several Jobs lists them, at most 20", () => {
    const many = Array.from({ length: 25 }, (_, index) => notificationExample({ key: `u${index}` }));
    const { text, blocks } = sent(...many);
    expect(text).toBe("🔴 25 messages of rule failures about prod-eu/payments");
    expect(blocks).toHaveLength(22);
    expect(blocks.at(-1)?.text.text).toBe("5 more are not shown.");
  });

  it("has names and messages as plain text, in which Slack interprets nothing", () => {
    const markup = "<!channel> *bold* <https://evil.example|click> & `code` :x:";
    const { text, mrkdwn, blocks } = sent(notificationExample({ headline: markup }));
    expect(text).toBe(
      "🔴 Job prod-eu/payments/charge-1: &lt;!channel&gt; *bold* &lt;https://evil.example|click&gt; &amp; `code` :x:",
    );
    expect(mrkdwn).toBe(false);
    expect(new Set(blocks.map((block) => block.text.type))).toEqual(new Set(["plain_text"]));
  });

  it("about a cluster names only the cluster", () => {
    const subject = { kind: "Cluster", cluster: "prod-eu", namespace: "", name: "prod-eu", uid: "prod-eu" };
    const two = [notificationExample({ subject }), notificationExample({ subject })] as const;
    expect(sent(...two).text).toBe("🔴 2 messages of rule failures about prod-eu");
  });
});

/** https://docs.slack.dev/reference/block-kit/blocks and /reference/messaging/payload */
describe("the limits of Slack", () => {
  const long = "ü".repeat(300);
  const findings = Array.from({ length: 50 }, () => ({
    kind: "ReRunAfterSuccess",
    message: long,
    matched: true as const,
  }));
  const logs = Array.from({ length: 3 }, () => ({ pod: "p".repeat(253), name: "Grafana", url: "https://g.example/" }));
  const subject = {
    kind: "CronJob",
    cluster: "c".repeat(63),
    namespace: "n".repeat(63),
    name: "j".repeat(253),
    uid: "u",
  };
  const largest = notificationExample({ headline: "h".repeat(300), findings, logs, subject });

  it.each([1, 100])("hold for the largest of %i notifications", (number) => {
    const { blocks } = sent(...Array.from({ length: number }, () => largest));
    expect(blocks.length).toBeLessThanOrEqual(50);
    const texts = blocks.flatMap(({ type, text, elements = [] }) =>
      type === "section" ? [text.text] : elements.map((button) => button.text.text),
    );
    expect(texts.join("").length).toBeLessThan(10_000);
    expect(texts.join("")).toContain(largest.headline);
    if (number > 1) expect(texts.at(-1)).toBe("95 more are not shown.");
    for (const { type, text, elements = [] } of blocks) {
      if (type === "section") expect(text.text.length).toBeLessThanOrEqual(3_000);
      expect(elements.length).toBeLessThanOrEqual(25);
      for (const button of elements) expect(button.text.text.length).toBeLessThanOrEqual(75);
    }
  });
});

describe("text for Slack", () => {
  it("has its three special characters escaped", () => {
    expect(escapeSlack("a<b>&c")).toBe("a&lt;b&gt;&amp;c");
  });
});
