import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import type { Notification } from "../../../src/notify/notification.ts";
import { notificationExample } from "../../support/notify/notification-example.ts";
import { ComposedBy } from "../../support/notify/opened-receiver.ts";

interface Run {
  readonly type: string;
  readonly text: string;
}

interface Card {
  readonly version: string;
  readonly fallbackText: string;
  readonly body: readonly {
    readonly type: string;
    readonly inlines?: readonly Run[];
    readonly actions?: readonly { readonly title: string; readonly url: string }[];
  }[];
}

const teams = new ComposedBy({ teams: { urlEnv: "TEAMS" } }, { TEAMS: "https://example.logic.azure.com/workflows/1" });

function cardOf(notifications: readonly Notification[]): Card {
  const { attachments } = teams.json(notifications) as { readonly attachments: readonly { readonly content: Card }[] };
  const [attachment] = attachments;
  if (attachment === undefined) throw new Error("a message has a card");
  return attachment.content;
}

function textsOf({ body }: Card): readonly string[] {
  return body.flatMap(({ inlines = [] }) => inlines.map(({ text }) => text));
}

const logs = [{ pod: "charge-1-x2x9s", name: "Grafana", url: "https://grafana.example.org/a" }];

describe("a message to Microsoft Teams", () => {
  it("is one card, as a workflow takes it", () => {
    expect(teams.json([notificationExample()])).toMatchObject({
      type: "message",
      attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null }],
    });
  });

  it("names the Job, the cause and the rule, and has buttons for the Job and its logs", () => {
    const card = cardOf([notificationExample({ logs })]);
    expect(textsOf(card)).toEqual([
      "🔴 Job prod-eu/payments/charge-1",
      "Failed: OOMKilled in 3 of 3 attempts.",
      "Rule failures",
    ]);
    expect(card.body.at(-1)?.actions?.map(({ title }) => title)).toEqual([
      "Open in Outlive",
      "Logs of charge-1-x2x9s (Grafana)",
    ]);
    expect(card.fallbackText).toBe("🔴 Job prod-eu/payments/charge-1");
  });

  it("has all texts as plain text, in which Teams interprets no Markdown", () => {
    const { body } = cardOf([notificationExample({ headline: "[click](https://evil.example) **bold** <at>all</at>" })]);
    expect(body.filter(({ inlines }) => inlines).every(({ type }) => type === "RichTextBlock")).toBe(true);
    expect(body.flatMap(({ inlines = [] }) => inlines).every(({ type }) => type === "TextRun")).toBe(true);
  });

  it("about several Jobs lists them, and says how many it leaves out", () => {
    const many = Array.from({ length: 25 }, (_, index) => notificationExample({ key: `u${index}` }));
    const texts = textsOf(cardOf(many));
    expect(texts[0]).toBe("🔴 25 messages of rule failures about prod-eu/payments");
    expect(texts.at(-1)).toBe("5 more are not shown.");
  });

  it("has at most 28 KB", () => {
    const findings = Array.from({ length: 50 }, () => ({
      kind: "ReRunAfterSuccess",
      message: "任".repeat(300),
      matched: true as const,
    }));
    const link = `https://outlive.example.org/#/${"x".repeat(2_900)}`;
    const largest = notificationExample({
      headline: "任".repeat(300),
      findings,
      link,
      logs: [...logs, ...logs, ...logs],
    });
    for (const number of [1, 30]) {
      const { body } = teams.http(Array.from({ length: number }, () => largest));
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(28 * 1_024);
    }
  });
});

/**
 * The schema of Adaptive Cards 1.5, the newest version that Teams shows. From github.com/microsoft/AdaptiveCards,
 * schemas/1.5.0/adaptive-card.json at 644d933e (MIT License, Copyright (c) 2017 Microsoft).
 */
const { definitions, anyOf } = JSON.parse(
  gunzipSync(readFileSync(new URL("../../support/notify/adaptive-card-1.5.0.json.gz", import.meta.url))).toString(),
) as { readonly definitions: object; readonly anyOf: readonly object[] };

/** `msteams` is a property of Teams, which the schema does not have. */
function inSchema(card: Card): object {
  return { ...card, msteams: undefined };
}

describe("the card", () => {
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  const isValid = ajv.compile({ definitions, anyOf });

  it.each([1, 25])("is valid by the published schema, with %i notifications", (number) => {
    const card = inSchema(cardOf(Array.from({ length: number }, () => notificationExample({ logs }))));
    expect(isValid(JSON.parse(JSON.stringify(card)))).toBe(true);
    expect(isValid({ ...card, body: [{ type: "RichTextBlock" }] })).toBe(false);
  });
});
