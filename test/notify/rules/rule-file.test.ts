import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { RECEIVER_KINDS } from "../../../src/notify/receivers/receiver-kinds.ts";
import { PLACEHOLDERS } from "../../../src/notify/rules/placeholders.ts";
import type { Environment } from "../../../src/notify/receivers/secret.ts";
import { readRules } from "../../../src/notify/rules/rule-file.ts";
import type { NotificationRules } from "../../../src/notify/rules/rules.ts";

const ENVIRONMENT: Environment = {
  SLACK_URL: "https://slack.example/T/secret",
  PD_KEY: "r0ut1ng",
  HOOK: "whsec_c2VjcmV0",
};

const VALID = `
page: https://outlive.example.org
rules:
  - name: payments-failures
    match:
      { clusters: [prod-*], namespaces: [payments], selector: "team=billing", states: [Failed], findings: [MissedRun] }
    for: 2m
    to: [pager, slack-batch, pager]
    resolve: true
  - { name: everything, to: [hook] }
receivers:
  - { name: slack-batch, slack: { urlEnv: SLACK_URL }, group: { wait: 30s }, rateLimit: { max: 10, per: 1m } }
  - { name: pager, pagerduty: { keyEnv: PD_KEY } }
  - { name: hook, webhook: { url: "https://hooks.example.org/a", secretEnv: HOOK }, allowAddresses: [169.254.1.0/24] }
maintenance:
  - { from: 2026-12-24T20:00:00Z, to: 2026-12-25T06:00:00Z, clusters: [prod-eu] }
`;

describe("the example of a rule file", () => {
  it("is valid", () => {
    expect(readRules(readFileSync("examples/rules.yaml", "utf8"), PLACEHOLDERS)).toMatchObject({ outcome: "read" });
  });
});

function valid(text: string, environment: Environment = {}): NotificationRules {
  const read = readRules(text, environment);
  if (read.outcome === "read") return read.rules;
  throw new Error(JSON.stringify(read.problems));
}

function problems(text: string, environment = ENVIRONMENT): readonly string[] {
  const read = readRules(text, environment);
  return read.outcome === "rejected" ? read.problems.map(({ path, message }) => `${path}: ${message}`) : [];
}

/** A file with one valid receiver, and these rules. */
function withRules(rules: string): string {
  return `rules: ${rules}\nreceivers: [{ name: hook, webhook: { url: "https://a.example" } }]`;
}

function withReceiver(receiver: string): string {
  return `rules: []\nreceivers: [${receiver}]`;
}

describe("a rule file", () => {
  it("has rules, receivers with their secrets, and maintenance intervals", () => {
    const { receivers, ...rules } = valid(VALID, ENVIRONMENT);
    expect(receivers).toMatchObject([
      {
        name: "slack-batch",
        isGrouping: true,
        group: { waitMillis: 30_000 },
        rateLimit: { max: 10, perMillis: 60_000 },
      },
      { name: "pager", isGrouping: false },
      { name: "hook", isGrouping: false },
    ]);
    expect(rules).toEqual({
      page: "https://outlive.example.org",
      rules: [
        {
          name: "payments-failures",
          match: {
            clusters: ["prod-*"],
            namespaces: ["payments"],
            selector: [{ key: "team", operator: "in", values: ["billing"] }],
            states: ["Failed"],
            findings: ["MissedRun"],
          },
          forMillis: 120_000,
          to: ["pager", "slack-batch"],
          resolve: true,
        },
        { name: "everything", match: { states: [], findings: [] }, forMillis: 0, to: ["hook"], resolve: false },
      ],
      maintenance: [
        {
          from: Date.parse("2026-12-24T20:00:00Z"),
          to: Date.parse("2026-12-25T06:00:00Z"),
          clusters: ["prod-eu"],
        },
      ],
    } satisfies Omit<NotificationRules, "receivers">);
  });

  it.each<[string, string, readonly string[]]>([
    ["an unknown key", withRules("[{ name: a, to: [hook], when: 2m }]"), ["rules[0].when: Unknown key."]],
    [
      "an unknown key in match",
      withRules("[{ name: a, to: [hook], match: { state: [Failed] } }]"),
      ["rules[0].match.state: Unknown key. Did you mean states? Valid keys: clusters, namespaces, names, selector, "],
    ],
    [
      "an unknown kind of receiver",
      withReceiver("{ name: a, slak: { urlEnv: SLACK_URL } }"),
      ["receivers[0].slak: Unknown key. Did you mean slack? Valid keys: name, webhook, slack, teams, "],
    ],
    [
      "an unknown key of a receiver's kind",
      withReceiver("{ name: a, slack: { url: SLACK_URL, urlEnv: SLACK_URL } }"),
      ["receivers[0].slack.url: Unknown key. Did you mean urlEnv? Valid keys: urlEnv."],
    ],
    [
      "an unknown key of a rate limit",
      withReceiver("{ name: a, slack: { urlEnv: SLACK_URL }, rateLimit: { max: 1, per: 1m, every: 1 } }"),
      ["receivers[0].rateLimit.every: Unknown key. Valid keys: max, per."],
    ],
    [
      "a rate limit of no messages",
      withReceiver("{ name: a, slack: { urlEnv: SLACK_URL }, rateLimit: { max: 0, per: 1m } }"),
      ["receivers[0].rateLimit.max: Expected a whole number of messages from 1 to 10000."],
    ],
    [
      "a label of Alertmanager that Outlive sets",
      withReceiver("{ name: a, alertmanager: { url: 'https://am.example', labels: { name: x } } }"),
      [
        "receivers[0].alertmanager.labels.name: " +
          "Outlive sets alertname, cluster, namespace, kind, name, uid. Remove this label.",
      ],
    ],
    [
      "an unknown key of an interval",
      "rules: []\nreceivers: []\nmaintenance: [{ from: 2026-01-01T00:00:00Z, to: 2026-01-02T00:00:00Z, cluster: [a] }]",
      ["maintenance[0].cluster: Unknown key. Did you mean clusters? Valid keys: from, to, clusters, "],
    ],
    [
      "an unknown list",
      "rules: []\nreceivers: []\nreceiver: []",
      ["receiver: Unknown key. Did you mean receivers? Valid"],
    ],
    ["a missing key", withRules("[{ to: [hook] }]"), ["rules[0].name: Missing."]],
    [
      "a name used twice",
      withRules("[{ name: a, to: [hook] }, { name: a, to: [hook] }]"),
      ['rules[1].name: The name "a" is used twice.'],
    ],
    [
      "a receiver that does not exist",
      withRules("[{ name: a, to: [hok] }]"),
      ['rules[0].to[0]: There is no receiver "hok".'],
    ],
    [
      "a loop of rules",
      withRules("[{ name: a, to: [b] }, { name: b, to: [a] }]"),
      [
        'rules[0].to[0]: There is no receiver "b". A rule cannot send to another rule.',
        'rules[1].to[0]: There is no receiver "a". A rule cannot send to another rule.',
      ],
    ],
    [
      "a regular expression, which would match nothing",
      withRules('[{ name: a, to: [hook], match: { names: ["(a+)+$"] } }]'),
      ["rules[0].match.names[0]: Only * is special in a pattern. There are no regular expressions."],
    ],
    ["no receiver", withRules("[{ name: a, to: [] }]"), ["rules[0].to: Name at least one receiver."]],
    [
      "an unknown state",
      withRules("[{ name: a, to: [hook], match: { states: [failed] } }]"),
      ["rules[0].match.states[0]: Expected one of Pending, Running, Suspended, Complete, Failed, Deleted, Unknown."],
    ],
    [
      "an invalid selector",
      withRules('[{ name: a, to: [hook], match: { selector: "a in (" } }]'),
      ["rules[0].match.selector: "],
    ],
    [
      "an invalid duration",
      withRules("[{ name: a, to: [hook], for: soon }]"),
      ["rules[0].for: Expected a duration of at most 7d, such as 30s, 2m, 1h or 1d."],
    ],
    [
      "the name of a property that every object has",
      withRules("[{ name: constructor, to: [hook] }]"),
      ["rules[0].name: This name is reserved."],
    ],
    [
      "a variable that only the prototype of the environment has",
      withReceiver("{ name: a, pagerduty: { keyEnv: constructor } }"),
      ["receivers[0].pagerduty.keyEnv: The variable constructor is not set."],
    ],
    ["a name with markup", withRules('[{ name: "<a>", to: [hook] }]'), ["rules[0].name: A name has 1 to 63"]],
    ["a receiver of no kind", withReceiver("{ name: a }"), ["receivers[0]: Expected exactly one of webhook, slack, "]],
    [
      "a receiver of two kinds",
      withReceiver("{ name: a, slack: { urlEnv: SLACK_URL }, pagerduty: { keyEnv: PD_KEY } }"),
      ["receivers[0]: Expected exactly one"],
    ],
    [
      "a secret that is not set",
      withReceiver("{ name: a, slack: { urlEnv: NOPE } }"),
      ["receivers[0].slack.urlEnv: The variable NOPE is not set."],
    ],
    [
      "a webhook without an address",
      withReceiver("{ name: a, webhook: {} }"),
      ["receivers[0].webhook: Expected either url or urlEnv."],
    ],
    [
      "another scheme",
      withReceiver('{ name: a, webhook: { url: "file:///etc/passwd" } }'),
      ["receivers[0].webhook.url: Expected an http or https URL."],
    ],
    [
      "a group of a webhook",
      withReceiver('{ name: a, webhook: { url: "https://a" }, group: { wait: 1m } }'),
      ["receivers[0].group: Messages to this kind of receiver cannot be grouped. Remove `group`."],
    ],
    [
      "an event bus with a space in its name",
      withReceiver("{ name: a, eventbridge: { bus: a b } }"),
      ["receivers[0].eventbridge.bus: Expected the name or ARN of an event bus."],
    ],
    [
      "a topic without its account",
      withReceiver('{ name: a, sns: { topic: "batch" } }'),
      ["receivers[0].sns.topic: Expected the ARN of an SNS topic"],
    ],
    [
      "an address where e-mail needs a topic",
      withReceiver('{ name: a, email: { topic: "ops@example.org" } }'),
      ["receivers[0].email.topic: Expected the ARN of an SNS topic"],
    ],
    [
      "an invalid CIDR",
      withReceiver('{ name: a, webhook: { url: "https://a" }, allowAddresses: [10.0.0.0/33] }'),
      ["receivers[0].allowAddresses[0]: Expected a CIDR"],
    ],
    [
      "an interval that ends before it begins",
      "rules: []\nreceivers: []\nmaintenance: [{ from: 2026-01-02T00:00:00Z, to: 2026-01-01T00:00:00Z }]",
      ["maintenance[0]: `from` must be before `to`."],
    ],
    ["no rules", "receivers: []", ["rules: Missing."]],
    ["a text instead of a rule", withRules("[a]"), ["rules[0]: Expected keys with values, such as `name: a`."]],
    ["no YAML", "rules: [", [": Invalid YAML: "]],
    ["nothing", "", [': Expected "rules", a list of rules, and "receivers", a list of receivers.']],
    ["a loop of aliases", "rules: &a [*a]\nreceivers: []", ["rules[0].name: Missing.", "rules[0]", "rules[0]"]],
  ])("with %s is rejected with the path", (_, text, expected) => {
    const found = problems(text);
    expect(found).toHaveLength(expected.length);
    for (const [index, start] of expected.entries()) {
      expect(found[index]?.startsWith(start.replace(/^: $/, ""))).toBe(true);
    }
  });

  it.each(Object.keys(RECEIVER_KINDS))("names the valid keys of %s where another one is", (kind) => {
    const found = problems(withReceiver(`{ name: a, ${kind}: { nope: 1 } }`));
    expect(found.filter((one) => one.startsWith(`receivers[0].${kind}.nope: Unknown key. Valid keys: `))).toHaveLength(
      1,
    );
  });

  it("may send to EventBridge, SNS and e-mail, by name or ARN", () => {
    const topic = "arn:aws:sns:eu-central-1:123456789012:batch.fifo";
    const bus = "arn:aws:events:eu-central-1:123456789012:event-bus/batch";
    const receivers = [
      "{ name: a, eventbridge: { bus: batch } }",
      `{ name: b, eventbridge: { bus: "${bus}" } }`,
      `{ name: c, sns: { topic: "${topic}" }, rateLimit: { max: 1, per: 1m } }`,
      `{ name: d, email: { topic: "${topic}" } }`,
    ];
    expect(valid(withReceiver(receivers.join(", "))).receivers.map(({ resource }) => resource)).toEqual([
      { service: "eventbridge", bus: "batch" },
      { service: "eventbridge", bus },
      { service: "sns", topic },
      { service: "sns", topic },
    ]);
  });

  it("does not reveal a secret that is not valid", () => {
    const found = problems(withReceiver("{ name: a, slack: { urlEnv: SLACK_URL } }"), { SLACK_URL: "hunter2" });
    expect(found).toEqual(["receivers[0].slack.urlEnv: The value of SLACK_URL is not an http or https URL."]);
  });

  it("whose aliases multiply is rejected", () => {
    const levels = Array.from(
      { length: 12 },
      (_, level) => `l${level + 1}: &l${level + 1} [${Array(10).fill(`*l${level}`).join(", ")}]`,
    );
    expect(problems(["l0: &l0 [a]", ...levels].join("\n"))).toHaveLength(1);
  });

  it("may have 10,000 rules", () => {
    const rules = Array.from(
      { length: 10_000 },
      (_, index) => `  - { name: rule-${index}, to: [hook], match: { namespaces: [team-${index}-*] } }`,
    );
    const read = readRules(
      `rules:\n${rules.join("\n")}\nreceivers: [{ name: hook, webhook: { url: "https://a.example" } }]`,
      {},
    );
    expect(read.outcome === "read" && read.rules.rules.length).toBe(10_000);
  });
});
