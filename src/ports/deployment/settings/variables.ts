import * as v from "valibot";
import { CLUSTER_NAME, MAX_PACK_SHARDS } from "../limits.ts";
import { parseProjectorVersions } from "../projector-versions.ts";

// A message continues the sentence that begins with the variable's name.

/** The name of a DynamoDB table. `content` completes "the name of the ... table". */
export function table(content: string) {
  return v.pipe(
    v.string(`is not set. Set it to the name of the ${content} table; the outputs of the stack list the tables.`),
    v.regex(
      /^[a-zA-Z0-9_.-]{3,255}$/,
      ({ input }) =>
        `is ${JSON.stringify(input)}, which is not a table name. Set it to the name of the ${content} table.`,
    ),
  );
}

/** The URL of an SQS queue. `content` completes "the URL of the ... queue". */
export function queueUrl(content: string) {
  return v.pipe(
    v.string(`is not set. Set it to the URL of the ${content} queue.`),
    v.check(
      isHttpUrl,
      ({ input }) =>
        `is ${JSON.stringify(input)}, which is not a URL. Set it to https://sqs.REGION.amazonaws.com/ACCOUNT/NAME.`,
    ),
  );
}

const QUEUES_FORM = 'is not the queue of each receiver. Set it to JSON such as {"RECEIVER":"https://sqs..."}.';

/** The URL of the SQS queue of each receiver, as JSON. */
export const queueUrls = v.pipe(
  v.string('is not set. Set it to JSON such as {"RECEIVER":"https://sqs..."}.'),
  v.parseJson({}, QUEUES_FORM),
  v.record(v.string(), v.pipe(v.string(QUEUES_FORM), v.check(isHttpUrl, QUEUES_FORM)), QUEUES_FORM),
);

/** The name of an S3 bucket. `content` completes "the name of the bucket for ...". */
export function bucket(content: string) {
  const message = `Set it to the name of the bucket for ${content}.`;
  return v.pipe(
    v.string(`is not set. ${message}`),
    v.regex(
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      ({ input }) => `is ${JSON.stringify(input)}, which is not a bucket name. ${message}`,
    ),
  );
}

const VERSIONS_FORM = 'Set it to the versions of project and refold, such as "12,9".';

/** The versions of two projectors. */
export const projectorVersions = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const versions = parseProjectorVersions(dataset.value);
    if (versions !== undefined) return versions;
    addIssue({ message: `is ${JSON.stringify(dataset.value)}. ${VERSIONS_FORM}` });
    return NEVER;
  }),
);

/** A whole number of at least 1. `meaning` completes "Set it to ...". */
export function positive(meaning: string) {
  return v.pipe(
    v.string(`is not set. Set it to ${meaning}.`),
    v.regex(
      /^[1-9]\d{0,8}$/,
      ({ input }) => `is ${JSON.stringify(input)}. Set it to ${meaning}: a whole number of at least 1.`,
    ),
    v.transform(Number),
  );
}

/** The number of shards of the log. */
export const packShards = v.pipe(
  positive("the number of shards of the log"),
  v.maxValue(
    MAX_PACK_SHARDS,
    ({ input }) => `is "${input}". Set it to the number of shards of the log: at most ${MAX_PACK_SHARDS}.`,
  ),
);

/** One of these words. */
export function oneOf<const Words extends readonly [string, ...string[]]>(...words: Words) {
  const choice = `Set it to ${words
    .map((word) => JSON.stringify(word))
    .join(", ")
    .replace(/, (?="[^"]*"$)/, " or ")}`;
  return v.picklist(words, ({ input }) => `is ${input === undefined ? "not set" : JSON.stringify(input)}. ${choice}.`);
}

/** `true` or `false`; unset means `false`. `meaning` completes "it says whether ...". */
export function flag(meaning: string) {
  return v.pipe(
    v.optional(v.string(), "false"),
    v.picklist(
      ["true", "false"],
      ({ input }) => `is ${JSON.stringify(input)}. Set it to "true" or "false": it says whether ${meaning}.`,
    ),
    v.transform((text) => text === "true"),
  );
}

/** The stage of the stack, which is the dimension of its metrics. */
export const stageName = v.pipe(
  v.string("is not set. Set it to the name of the stage."),
  v.regex(
    /^[a-zA-Z0-9][a-zA-Z0-9-]{0,31}$/,
    ({ input }) =>
      `is ${JSON.stringify(input)}, which is not a stage name. Use at most 32 letters, digits and hyphens.`,
  ),
);

/** An http or https URL. `target` completes "the URL of ...". */
export function url(target: string) {
  return v.pipe(
    v.string(),
    v.check(
      isHttpUrl,
      ({ input }) => `is ${JSON.stringify(input)}, which is not a URL. Set it to the URL of ${target}.`,
    ),
  );
}

/** Names separated by commas. */
export const list = v.pipe(
  v.string(),
  v.transform((text) =>
    text
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  ),
);

const GRANTS_FORM = 'Set it to JSON such as {"operators":["CLUSTER/NAMESPACE","*"]}: the grants of each group.';
const NOT_GRANTS = `is not a list of grants for each group. ${GRANTS_FORM}`;

/** The grants of each group, as JSON. src/query/access/grant-text.ts reads the grants themselves. */
export const grantsByGroup = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    try {
      const parsed: unknown = JSON.parse(dataset.value);
      return parsed;
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause;
      addIssue({ message: `is not JSON (${cause.message}). ${GRANTS_FORM}` });
      return NEVER;
    }
  }),
  v.record(v.string(), v.array(v.string(NOT_GRANTS), NOT_GRANTS), NOT_GRANTS),
);

const CLUSTERS = 'Set it to JSON such as {"/aws/eks/NAME/cluster":"NAME"}.';
const GROUPS_FORM = `is not the cluster of each log group. ${CLUSTERS}`;

/** The cluster of each log group with audit logs, as JSON. */
export const clustersOfLogGroups = v.pipe(
  v.string(`is not set. ${CLUSTERS}`),
  v.parseJson({}, GROUPS_FORM),
  v.record(v.string(), v.pipe(v.string(GROUPS_FORM), v.regex(CLUSTER_NAME, GROUPS_FORM)), GROUPS_FORM),
  v.transform((groups): ReadonlyMap<string, string> => new Map(Object.entries(groups))),
);

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
