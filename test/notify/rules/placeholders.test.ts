import { expect, it } from "vitest";
import { PLACEHOLDERS, recordingPlaceholders } from "../../../src/notify/rules/placeholders.ts";
import { readRules } from "../../../src/notify/rules/rule-file.ts";

const FILE = `rules: []
receivers:
  - { name: chat, slack: { urlEnv: SLACK_URL } }
  - { name: pager, pagerduty: { keyEnv: PD_KEY } }
  - { name: bus, eventbridge: { bus: batch } }
  - { name: mail, smtp: { urlEnv: SMTP_URL, from: a@b.example, to: [c@d.example] } }
`;

it("placeholders stand for every secret, and can say which ones a file names", () => {
  expect(readRules(FILE, PLACEHOLDERS)).toMatchObject({ outcome: "read" });
  const { environment, names } = recordingPlaceholders();
  expect(readRules(FILE, environment)).toMatchObject({ outcome: "read" });
  expect([...names]).toEqual(["SLACK_URL", "PD_KEY", "SMTP_URL"]);
});
