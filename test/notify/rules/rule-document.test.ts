import { describe, expect, it } from "vitest";
import { receiversIn, rulesIn } from "../../../src/notify/rules/rule-document.ts";

function readRuleWith(toValueOf: unknown) {
  const receivers = [{ name: "hook", webhook: { url: "https://hooks.example.org/a" } }];
  return rulesIn({ rules: [{ name: "a", to: ["hook"], toValueOf }], receivers }, {});
}

function readLimitPer(per: string) {
  return rulesIn(
    { rules: [], receivers: [{ name: "bus", eventbridge: { bus: "jobs" }, rateLimit: { max: 1, per } }] },
    {},
  );
}

describe("the key whose value names receivers", () => {
  it.each(["team", "outlive.dev/notify", "app.kubernetes.io/name"])("can be %s", (key) => {
    expect(readRuleWith(key)).toMatchObject({ rules: { rules: [{ toValueOf: key }] } });
  });

  it.each(["", "outlive.dev/", "a/b/c", "team!", "Team/a", 5, ["team"]])("cannot be %j", (key) => {
    const message = "Expected the key of a label or annotation, such as outlive.dev/notify.";
    expect(readRuleWith(key)).toEqual({ outcome: "rejected", problems: [{ path: "rules[0].toValueOf", message }] });
  });
});

describe("the period of a rate limit", () => {
  it("can be 1s", () => {
    expect(readLimitPer("1s")).toMatchObject({ rules: { receivers: [{ rateLimit: { perMillis: 1_000 } }] } });
  });

  it("cannot be 0s, which would limit nothing", () => {
    const message = "The period of a rate limit is at least 1s.";
    const problems = [{ path: "receivers[0].rateLimit.per", message }];
    expect(readLimitPer("0s")).toEqual({ outcome: "rejected", problems });
  });
});

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
        { name: "hook", isGrouping: false },
      ],
    });
  });

  it("are those that messages are sent to where all secrets are set", () => {
    const environment = { SLACK_URL: "https://slack.example/" };
    const rules = rulesIn(document, environment);
    const { receivers } = rules.outcome === "read" ? rules.rules : {};
    const read = receiversIn(document, environment);
    expect(JSON.stringify(read)).toBe(JSON.stringify({ outcome: "read", receivers }));
  });

  it("are rejected with a file that is not valid", () => {
    expect(receiversIn({ receivers: 1 }, {})).toMatchObject({ outcome: "rejected" });
  });
});
