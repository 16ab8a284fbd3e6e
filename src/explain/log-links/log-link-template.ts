import { formatInstant, formatMillis, type Instant } from "../../job/model/instant.ts";

/** The values for the placeholders of a template. If a value is absent, there is no link. */
export interface LogLinkValues {
  readonly cluster: string;
  readonly namespace?: string | undefined;
  readonly job?: string | undefined;
  readonly pod?: string | undefined;
  readonly podUid?: string | undefined;
  readonly container?: string | undefined;
  readonly node?: string | undefined;
  readonly from: Instant;
  readonly to: Instant;
}

/** The address of logs, with placeholders such as `{pod}`. */
export interface LogLinkTemplate {
  /** Texts and placeholders alternate, beginning with a text. */
  readonly texts: readonly string[];
  readonly placeholders: readonly Placeholder[];
}

export type ParsedTemplate =
  | { readonly outcome: "parsed"; readonly template: LogLinkTemplate }
  | { readonly outcome: "invalid"; readonly problem: string };

type ValueOf = (values: LogLinkValues) => string | undefined;

/**
 * The characters allowed in names of objects. Other characters could change the meaning of the query that contains the
 * name.
 */
function nameOrNone(text: string | undefined): string | undefined {
  return text !== undefined && /^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$/.test(text) ? text : undefined;
}

/** The format in which the CloudWatch console writes instants in its URLs. */
const cloudWatch = (instant: Instant): string => formatMillis(instant).replaceAll(":", "*3a");

const PLACEHOLDERS = {
  cluster: ({ cluster }) => nameOrNone(cluster),
  namespace: ({ namespace }) => nameOrNone(namespace),
  job: ({ job }) => nameOrNone(job),
  pod: ({ pod }) => nameOrNone(pod),
  podUid: ({ podUid }) => nameOrNone(podUid),
  container: ({ container }) => nameOrNone(container),
  node: ({ node }) => nameOrNone(node),
  from: ({ from }) => formatInstant(from),
  to: ({ to }) => formatInstant(to),
  fromSeconds: ({ from }) => String(Math.floor(from / 1_000)),
  toSeconds: ({ to }) => String(Math.ceil(to / 1_000)),
  fromMillis: ({ from }) => String(from),
  toMillis: ({ to }) => String(to),
  fromCloudWatch: ({ from }) => cloudWatch(from),
  toCloudWatch: ({ to }) => cloudWatch(to),
} as const satisfies Record<string, ValueOf>;

export type Placeholder = keyof typeof PLACEHOLDERS;

const MAX_LENGTH = 2_000;

/**
 * Reads an address with placeholders. They are not allowed in the host: the name of an object must not decide which
 * server a reader's browser opens.
 */
export function parseLogLink(text: string): ParsedTemplate {
  if (text.length > MAX_LENGTH) return invalid(`The address has more than ${MAX_LENGTH} characters.`);
  const parts = text.split(/\{([^{}]*)\}/);
  const texts = parts.filter((_, index) => index % 2 === 0);
  const names = parts.filter((_, index) => index % 2 === 1);
  const unknown = names.find((name) => !isPlaceholder(name));
  if (unknown !== undefined) {
    return invalid(`Unknown placeholder {${unknown}}. Expected one of ${Object.keys(PLACEHOLDERS).join(", ")}.`);
  }
  const isUnpaired = texts.some((part) => /[{}]/.test(part));
  if (isUnpaired) return invalid("A brace without its pair. Write %7B and %7D for braces.");
  const [start = ""] = texts;
  const problem = problemOfAddress(texts.join("x"), start, names.length);
  return problem === undefined
    ? { outcome: "parsed", template: { texts, placeholders: names.filter(isPlaceholder) } }
    : invalid(problem);
}

function problemOfAddress(address: string, start: string, placeholders: number): string | undefined {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return "Expected an http or https URL.";
  if (url.username !== "" || url.password !== "") return "The address must not contain a user name or password.";
  if (/[\s\p{Cc}]/u.test(address)) return "The address contains white space. Write %20 for a space.";
  if (placeholders > 0 && !/^https?:\/\/[^/?#]+[/?#]/i.test(start)) {
    return "A placeholder must come after the host. Write one link per cluster instead.";
  }
  return undefined;
}

function invalid(problem: string): ParsedTemplate {
  return { outcome: "invalid", problem };
}

function isPlaceholder(name: string): name is Placeholder {
  return Object.hasOwn(PLACEHOLDERS, name);
}

/** The address with its values, URL-encoded; `undefined` if a value is absent or not the name of an object. */
export function fillLogLink({ texts, placeholders }: LogLinkTemplate, values: LogLinkValues): string | undefined {
  let url = texts[0] ?? "";
  for (const [index, placeholder] of placeholders.entries()) {
    const valueOf: ValueOf = PLACEHOLDERS[placeholder];
    const value = valueOf(values);
    if (value === undefined) return undefined;
    url += encodeURIComponent(value) + (texts[index + 1] ?? "");
  }
  return url;
}
