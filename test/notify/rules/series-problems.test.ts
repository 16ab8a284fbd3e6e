import { describe, expect, it } from "vitest";
import { rulesIn } from "../../../src/notify/rules/rule-document.ts";

const receivers = [{ name: "hook", webhook: { url: "https://hooks.example.org/a" } }];

function read(rule: object) {
  return rulesIn({ rules: [{ name: "nightly", to: ["hook"], ...rule }], receivers }, {});
}

function problems(rule: object): readonly string[] {
  const result = read(rule);
  return result.outcome === "rejected" ? result.problems.map(({ path, message }) => `${path}: ${message}`) : [];
}

describe("a rule about series", () => {
  it("defaults to thresholds of 1 and to a message when the alert ends", () => {
    expect(read({ per: "series" })).toMatchObject({
      rules: { rules: [{ resolve: true, series: { failureThreshold: 1, recoveryThreshold: 1 } }] },
    });
    expect(read({ per: "series", failureThreshold: 3, recoveryThreshold: 2, resolve: false })).toMatchObject({
      rules: { rules: [{ resolve: false, series: { failureThreshold: 3, recoveryThreshold: 2 } }] },
    });
  });

  it.each([0, -1, 1.5, 11, "2", null])("cannot have the threshold %j", (threshold) => {
    const text = "Expected a whole number from 1 to 10: the last 10 due times of a CronJob are read.";
    expect(problems({ per: "series", failureThreshold: threshold })).toEqual([`rules[0].failureThreshold: ${text}`]);
    expect(problems({ per: "series", recoveryThreshold: threshold })).toEqual([`rules[0].recoveryThreshold: ${text}`]);
  });

  it.each<[string, object]>([
    ["states", { states: ["Failed"] }],
    ["findings", { findings: [] }],
  ])("cannot name %s", (key, match) => {
    expect(problems({ per: "series", match })).toEqual([
      `rules[0].match.${key}: A rule with \`per: series\` is about failures in a row. ` +
        "Remove this key, or write a second rule.",
    ]);
  });

  it("cannot be about other owners than CronJobs", () => {
    const owners = ["CronJob/a", "Cron*/b", "*/c", "d", "DAG/e"];
    expect(problems({ per: "series", match: { owners } })).toEqual([
      "rules[0].match.owners[4]: A rule with `per: series` is about CronJobs. Write CronJob/NAME, or a name.",
    ]);
  });
});

describe("another rule", () => {
  it("has no thresholds", () => {
    const text = "A threshold counts the runs of a series. Add `per: series` to the rule, or remove the threshold.";
    expect(problems({ failureThreshold: 2, recoveryThreshold: 1 })).toEqual([
      `rules[0].failureThreshold: ${text}`,
      `rules[0].recoveryThreshold: ${text}`,
    ]);
    expect(read({})).toMatchObject({ rules: { rules: [{ resolve: false }] } });
  });

  it("names the valid value of `per`", () => {
    expect(problems({ per: "job" })).toEqual([
      "rules[0].per: Expected series. Without `per`, the rule is about each Job.",
    ]);
  });
});
