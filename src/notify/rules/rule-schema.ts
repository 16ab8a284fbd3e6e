import * as v from "valibot";
import { knownKeys } from "../../ports/files/known-keys.ts";
import { FINDING_KINDS } from "../../explain/findings/finding-kinds.ts";
import { parseInstant } from "../../job/model/instant.ts";
import { STATES } from "../../job/model/states.ts";
import { CRON_FINDING_KINDS } from "../../parents/cron-job/cron-findings.ts";
import { RECENT } from "../../query/cron-jobs/recent-runs.ts";
import { parseLabelSelector } from "../../query/list/label-selector.ts";
import { parseTimeSpan } from "../../job/text/time-span.ts";
import { address } from "../receivers/receiver-kind.ts";
import { RECEIVER_KINDS } from "../receivers/receiver-kinds.ts";

/** Every finding that a rule can name: those of Jobs, of CronJobs, and of clusters. */
const RULE_FINDINGS = [...FINDING_KINDS, ...CRON_FINDING_KINDS, "ClusterSilent"] as const;

const name = v.pipe(
  v.string("Expected a name."),
  v.regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, "A name has 1 to 63 lower-case letters, digits and hyphens."),
  // Names that are not allowed: notices are stored by the name of their rule, and valibot drops these keys.
  v.check((text) => text !== "constructor" && text !== "prototype", "This name is reserved."),
);
const pattern = v.pipe(
  v.string("Expected a text; * stands for any characters."),
  v.nonEmpty("A pattern cannot be empty."),
  v.maxLength(253, "A pattern has at most 253 characters."),
  v.check(
    (text) => !/[()[\]{}+?^$|\\]/.test(text),
    "Only * is special in a pattern. There are no regular expressions.",
  ),
);
const RUNS_IN_ROW = `Expected a whole number from 1 to ${RECENT}: the last ${RECENT} due times of a CronJob are read.`;
const patterns = v.exactOptional(v.array(pattern, "Expected a list of patterns."));

/** A duration in milliseconds. */
const duration = v.pipe(
  v.string("Expected a duration such as 30s, 2m, 1h or 1d."),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const millis = parseTimeSpan(dataset.value);
    if (millis !== undefined && millis <= MAX_DURATION) return millis;
    addIssue({ message: "Expected a duration of at most 7d, such as 30s, 2m, 1h or 1d." });
    return NEVER;
  }),
);
const MAX_DURATION = 7 * 86_400_000;

const instant = v.pipe(
  v.string("Expected a time such as 2026-12-24T20:00:00Z."),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const at = parseInstant(dataset.value);
    if (at !== undefined) return at;
    addIssue({ message: "Expected a time such as 2026-12-24T20:00:00Z." });
    return NEVER;
  }),
);

const selector = v.pipe(
  v.string("Expected a label selector, such as team=billing."),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const parsed = parseLabelSelector(dataset.value);
    if (parsed.outcome === "parsed") return parsed.selector;
    addIssue({ message: `Invalid label selector at character ${parsed.at + 1}: ${parsed.problem}` });
    return NEVER;
  }),
);

const KEY = "Expected the key of a label or annotation, such as outlive.dev/notify.";
const key = v.pipe(
  v.string(KEY),
  v.regex(/^(?:[a-z0-9][a-z0-9.-]{0,252}\/)?[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/, KEY),
);

const places = { clusters: patterns, namespaces: patterns, names: patterns };

const match = knownKeys({
  ...places,
  selector: v.exactOptional(selector),
  owners: patterns,
  states: v.exactOptional(v.array(v.picklist(STATES, `Expected one of ${STATES.join(", ")}.`))),
  findings: v.exactOptional(v.array(v.picklist(RULE_FINDINGS, `Expected one of ${RULE_FINDINGS.join(", ")}.`))),
});

/** A number of runs in a row. The last ten due times of a series are read, so that more could never match. */
const runsInRow = v.exactOptional(
  v.pipe(v.number(RUNS_IN_ROW), v.integer(RUNS_IN_ROW), v.minValue(1, RUNS_IN_ROW), v.maxValue(RECENT, RUNS_IN_ROW)),
);

const rule = knownKeys({
  name,
  match: v.exactOptional(match, {}),
  per: v.exactOptional(v.literal("series", "Expected series. Without `per`, the rule is about each Job.")),
  failureThreshold: runsInRow,
  recoveryThreshold: runsInRow,
  for: v.exactOptional(duration, "0s"),
  to: v.pipe(v.array(name, "Expected a list of receivers."), v.minLength(1, "Name at least one receiver.")),
  toValueOf: v.exactOptional(key),
  resolve: v.exactOptional(v.boolean("Expected true or false.")),
});

const MESSAGES = "Expected a whole number of messages from 1 to 10000.";

const receiver = knownKeys({
  name,
  ...RECEIVER_KINDS,
  group: v.exactOptional(knownKeys({ wait: duration })),
  rateLimit: v.exactOptional(
    knownKeys({
      max: v.pipe(v.number(MESSAGES), v.integer(MESSAGES), v.minValue(1, MESSAGES), v.maxValue(10_000, MESSAGES)),
      per: v.pipe(duration, v.minValue(1_000, "The period of a rate limit is at least 1s.")),
    }),
  ),
  allowAddresses: v.exactOptional(v.array(v.string("Expected a CIDR, such as 169.254.0.0/16.")), []),
});

const maintenance = v.pipe(
  knownKeys({ from: instant, to: instant, ...places }),
  v.check(({ from, to }) => from < to, "`from` must be before `to`."),
);

/** The form of a rule file. Names, receivers and secrets are checked afterwards (rule-document.ts). */
export const ruleFileSchema = knownKeys(
  {
    rules: v.array(rule, "Expected a list of rules."),
    receivers: v.array(receiver, "Expected a list of receivers."),
    maintenance: v.exactOptional(v.array(maintenance, "Expected a list of intervals."), []),
    page: v.exactOptional(address),
  },
  'Expected "rules", a list of rules, and "receivers", a list of receivers.',
);

export type RuleFile = v.InferOutput<typeof ruleFileSchema>;
export type FileRule = RuleFile["rules"][number];
export type FileReceiver = RuleFile["receivers"][number];
