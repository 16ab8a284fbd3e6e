import * as v from "valibot";

/** How each kind of variable is read. A message goes on where the variable's name ends. */

/** A DynamoDB table by name (3 to 255 characters of `[a-zA-Z0-9_.-]`). */
export function table(holds: string) {
  const message = `is to name the DynamoDB table that holds ${holds}`;
  return v.pipe(
    v.string(`${message}, and it is not set: the stack sets it, its outputs list the tables.`),
    v.regex(/^[a-zA-Z0-9_.-]{3,255}$/, ({ input }) => `${message}, and ${JSON.stringify(input)} is no table's name.`),
  );
}

/** A queue by its URL. */
export function queueUrl(holds: string) {
  const message = `is to be the URL of the SQS queue of ${holds}`;
  return v.pipe(
    v.string(`${message}, and it is not set: the stack sets it.`),
    v.check(
      isHttpUrl,
      ({ input }) =>
        `${message}, and ${JSON.stringify(input)} is no URL: write https://sqs.REGION.amazonaws.com/ACCOUNT/NAME.`,
    ),
  );
}

/** A bucket by name. */
export function bucket(holds: string) {
  const message = `is to name the S3 bucket of ${holds}`;
  return v.pipe(
    v.string(`${message}, and it is not set: the stack sets it.`),
    v.regex(
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      ({ input }) => `${message}, and ${JSON.stringify(input)} is no bucket's name.`,
    ),
  );
}

/** A whole number of at least 1. */
export function positive(what: string, standard: number) {
  const message = `is ${what}: a whole number of at least 1`;
  return v.pipe(
    v.optional(v.string(), String(standard)),
    v.regex(/^[1-9]\d{0,8}$/, ({ input }) => `${message}, and not ${JSON.stringify(input)}.`),
    v.transform(Number),
  );
}

/** `true`, `false`, or not set, which is `false`. */
export function flag(what: string) {
  return v.pipe(
    v.optional(v.string(), "false"),
    v.picklist(
      ["true", "false"],
      ({ input }) => `says whether ${what}: "true" or "false", and not ${JSON.stringify(input)}.`,
    ),
    v.transform((text) => text === "true"),
  );
}

/** The stage of the stack, which metrics carry as their dimension. */
export const stage = v.pipe(
  v.optional(v.string(), "dev"),
  v.regex(
    /^[a-zA-Z0-9][a-zA-Z0-9-]{0,31}$/,
    ({ input }) => `names the stage in at most 32 letters, digits and hyphens, and not by ${JSON.stringify(input)}.`,
  ),
);

/** A URL. */
export function url(names: string) {
  return v.pipe(
    v.string(),
    v.check(isHttpUrl, ({ input }) => `is to be the URL of ${names}, and ${JSON.stringify(input)} is none.`),
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

const GRANTS = 'is JSON such as {"operators":["CLUSTER/NAMESPACE","*"]}: what each group may see';

/** What each group may see, as JSON. What a grant says is read where it is used (src/query/access/grant-text.ts). */
export const grantsByGroup = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    try {
      return JSON.parse(dataset.value) as unknown;
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause;
      addIssue({ message: `${GRANTS}; it is no JSON (${cause.message}).` });
      return NEVER;
    }
  }),
  v.record(v.string(), v.array(v.string(`${GRANTS}.`), `${GRANTS}.`), `${GRANTS}.`),
);

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
