import { describe, expect, it } from "vitest";
import { receiversIn, rulesIn } from "../../../src/notify/rules/rule-document.ts";

describe("the receivers of a checked rule file", () => {
  const document = {
    rules: [],
    receivers: [
      { name: "chat", slack: { urlEnv: "SLACK_URL" } },
      { name: "hook", webhook: { url: "https://hooks.example.org/a" } },
    ],
  };

  it.each([
    ["is missing", {}, "The variable SLACK_URL is not set."],
    ["is invalid", { SLACK_URL: "hunter2" }, "The value of SLACK_URL is not an http or https URL."],
  ])("have a problem each whose secret %s", (_, environment, problem) => {
    expect(receiversIn(document, environment)).toMatchObject({
      outcome: "read",
      receivers: [
        { name: "chat", problem },
        { name: "hook", target: { kind: "webhook" } },
      ],
    });
  });

  it("are those that messages are sent to where all secrets are set", () => {
    const environment = { SLACK_URL: "https://slack.example/" };
    const rules = rulesIn(document, environment);
    const { receivers } = rules.outcome === "read" ? rules.rules : {};
    expect(receiversIn(document, environment)).toEqual({ outcome: "read", receivers });
  });

  it("are rejected with a file that is not valid", () => {
    expect(receiversIn({ receivers: 1 }, {})).toMatchObject({ outcome: "rejected" });
  });
});
