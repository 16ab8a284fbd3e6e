import * as v from "valibot";

/** The variables that a rule file may name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The name of a variable in a rule file. The value is a secret: no problem contains it. */
export const variable = v.pipe(
  v.string("Expected the name of an environment variable."),
  v.regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, "Expected the name of an environment variable."),
);

/** Stands for each secret where no message is sent. It is valid in every place. */
export const PLACEHOLDER = "https://receiver.invalid/";

/** Why a receiver cannot be used, and the key of its part of the rule file that causes it. */
export interface ReceiverProblem {
  readonly at: string;
  readonly problem: string;
}

/** A key of a rule file with the variable that it names. */
export type NamedVariable = readonly [key: string, variable: string];

/** An address is in the rule file, or in a variable if it is a secret. */
export function eitherUrl(
  environment: Environment,
  { url, urlEnv }: { readonly url?: string; readonly urlEnv?: string },
): string | ReceiverProblem {
  if ((url === undefined) === (urlEnv === undefined)) return { at: "", problem: "Expected either url or urlEnv." };
  return urlEnv === undefined ? encodedUrl(url ?? "", ["url", "url"]) : secretUrl(environment, ["urlEnv", urlEnv]);
}

/** An address with a further part of its path. Its parameters stay. */
export function urlBelow(address: string, part: string): string {
  const url = new URL(address);
  url.pathname = `${url.pathname.replace(/\/$/, "")}/${part}`;
  return url.href;
}

export function secretOf(environment: Environment, [at, name]: NamedVariable): string | ReceiverProblem {
  const value = environment[name];
  // `process.env.constructor` is a function.
  return typeof value !== "string" || value === "" ? { at, problem: `The variable ${name} is not set.` } : value;
}

const HTTP = ["http", "https"] as const;

/** A secret that is a URL of one of two schemes. */
export function secretUrl(
  environment: Environment,
  named: NamedVariable,
  schemes: readonly [string, string] = HTTP,
): string | ReceiverProblem {
  const value = secretOf(environment, named);
  if (typeof value !== "string") return value;
  if (value === PLACEHOLDER) return PLACEHOLDER.replace("https", schemes[1]);
  if (isAddress(value, schemes)) return encodedUrl(value, named);
  const [at, name] = named;
  return { at, problem: `The value of ${name} is not an ${schemes.join(" or ")} URL.` };
}

/**
 * Whether a text is a URL of one of these schemes, with a host. Messages to `smtp:mail.example.org`, which has none,
 * would be sent to this machine.
 */
export function isAddress(text: string, schemes: readonly string[] = HTTP): boolean {
  const url = URL.parse(text);
  return url !== null && schemes.includes(url.protocol.slice(0, -1)) && url.hostname !== "";
}

/** A URL whose user and password can be read: a lone percent sign in them is not encoded. */
function encodedUrl(text: string, [at, name]: NamedVariable): string | ReceiverProblem {
  const { username, password } = new URL(text);
  try {
    decodeURIComponent(username + password);
    return text;
  } catch (cause) {
    if (!(cause instanceof URIError)) throw cause;
    return { at, problem: `Write % as %25 in the user or password of ${name}.` };
  }
}
