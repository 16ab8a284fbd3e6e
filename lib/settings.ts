/** How one environment of the tracker is set up. Each field is a context value of the same name: `npx cdk deploy -c stage=test -c retentionDays=90`. */
export interface Settings {
  /** Names the stack (`Outlive-<stage>`), its tags, the API's stage and the metrics' dimension. 1 to 16 of `a-z0-9-`, a letter first. @default "live" */
  readonly stage: string;
  /**
   * Whether `cdk destroy` takes everything that was written with it. Otherwise tables, buckets and keys stay when the stack goes, tables refuse to be
   * deleted, and every table can be put back to any second of the last 35 days. @default false
   */
  readonly disposable: boolean;
  /** Days for which a Job is kept after it ended; the log is kept 30 days longer. 1 to 3,650. @default 400 */
  readonly retentionDays: number;
  /** Whose key encrypts tables, queues and buckets at rest: AWS's own, free of charge, or one of the account's own, with its use in CloudTrail. @default "aws" */
  readonly encryption: "aws" | "customer";
  /** Whoever can send to the queue may speak for any cluster, and whoever can reach the API may read. For trials and emulators. @default false */
  readonly openMode: boolean;
  /** Readers with a bearer JWT of this issuer for this audience. @default none */
  readonly oidc?: OidcReaders;
  /** A second API whose readers sign as IAM principals (SigV4). @default false */
  readonly iamAccess: boolean;
  /** Principals of other accounts that may send to the queue. Those of this account need no more than their own policy. @default none */
  readonly senderArns: readonly string[];
  /** Where alarms are said. @default they are only shown */
  readonly alarmEmail?: string;
  /**
   * Keeps a share of the account's concurrency for the functions that write, and none of the others can take more than theirs. An account has 1,000 at once
   * in a region, a new one 10, and AWS refuses a reservation that leaves less than 100 (10) unreserved. @default false
   */
  readonly reserveConcurrency: boolean;
  /** Requests a second that the API takes from everybody together; beyond that, and twice as many at once, it answers 429. @default 50 */
  readonly requestsPerSecond: number;
  /** Whether every request must carry an API key (`x-api-key`), each with a share of the usage plan. Not a proof of who asks. @default false */
  readonly apiKey: boolean;
}

export interface OidcReaders {
  /** `https://...`, exactly as the tokens' `iss`; its `/.well-known/openid-configuration` is read by the function. */
  readonly issuer: string;
  readonly audience: string;
  /** The claim that lists what a reader may see (docs/access.md). @default "outlive" */
  readonly claim?: string;
}

/** A setting, or two together, make no sense. The message says which and what to write instead. */
export class SettingsRefusedError extends Error {
  override readonly name = "SettingsRefusedError";
}

/** Settings as they come from `-c name=value`, where every value is a text, and from cdk.json, where it may be more. */
export type Context = (name: string) => unknown;

/** Reads and checks everything before the first construct is made. Throws {@link SettingsRefusedError}. */
export function readSettings(context: Context): Settings {
  const oidc = oidcOf(context);
  const alarmEmail = textOf(context, "alarmEmail", /^[^\s@]+@[^\s@]+$/, "an address such as ops@example.org");
  const settings: Settings = {
    stage: textOf(context, "stage", /^[a-z][a-z0-9-]{0,15}$/, "1 to 16 of a-z, 0-9 and -, a letter first") ?? "live",
    disposable: flagOf(context, "disposable"),
    retentionDays: numberOf(context, "retentionDays", { least: 1, most: 3650, otherwise: 400 }),
    encryption:
      textOf(context, "encryption", /^(aws|customer)$/, "aws or customer") === "customer" ? "customer" : "aws",
    openMode: flagOf(context, "openMode"),
    ...(oidc !== undefined && { oidc }),
    iamAccess: flagOf(context, "iamAccess"),
    senderArns: arnsOf(context, "senderArns"),
    ...(alarmEmail !== undefined && { alarmEmail }),
    reserveConcurrency: flagOf(context, "reserveConcurrency"),
    requestsPerSecond: numberOf(context, "requestsPerSecond", { least: 1, most: 10_000, otherwise: 50 }),
    apiKey: flagOf(context, "apiKey"),
  };
  const refusal = contradictionIn(settings);
  if (refusal !== undefined) throw new SettingsRefusedError(refusal);
  return settings;
}

function contradictionIn({ openMode, disposable, oidc, iamAccess, stage }: Settings): string | undefined {
  if (openMode && !disposable) {
    return `Stage ${stage} would let anybody write and read what it keeps. Leave out -c openMode=true, or add -c disposable=true if it is a trial.`;
  }
  if (openMode && (oidc !== undefined || iamAccess)) {
    return "In open mode nobody is asked who they are. Leave out -c openMode=true, or leave out oidcIssuer and iamAccess.";
  }
  if (!openMode && oidc === undefined && !iamAccess) {
    return "Nobody could ask this stage anything. Say who may: -c oidcIssuer=https://... -c oidcAudience=..., or -c iamAccess=true; for a trial -c disposable=true -c openMode=true.";
  }
  return undefined;
}

function oidcOf(context: Context): OidcReaders | undefined {
  const issuer = textOf(context, "oidcIssuer", /^https:\/\/[^\s?#]+$/, "an address that begins with https://");
  const audience = textOf(context, "oidcAudience", /^\S+$/, "the audience of the tokens");
  const claim = textOf(context, "oidcClaim", /^\S+$/, "the name of a claim");
  if (issuer !== undefined && audience !== undefined) {
    return { issuer, audience, ...(claim !== undefined && { claim }) };
  }
  if (issuer === undefined && audience === undefined && claim === undefined) return undefined;
  throw new SettingsRefusedError(
    "Readers with a JWT need both: -c oidcIssuer=https://... (the tokens' iss) and -c oidcAudience=... (their aud).",
  );
}

function textOf(context: Context, name: string, pattern: RegExp, form: string): string | undefined {
  const value = context(name);
  if (value === undefined || value === "") return undefined;
  if (typeof value === "string" && pattern.test(value)) return value;
  throw new SettingsRefusedError(`${name} is to be ${form}, and is ${JSON.stringify(value)}.`);
}

function flagOf(context: Context, name: string): boolean {
  const value = context(name) ?? false;
  if (value === true || value === "true") return true;
  if (value === false || value === "false") return false;
  throw new SettingsRefusedError(`${name} is to be true or false, and is ${JSON.stringify(value)}.`);
}

function numberOf(
  context: Context,
  name: string,
  { least, most, otherwise }: { readonly least: number; readonly most: number; readonly otherwise: number },
): number {
  const value = context(name) ?? otherwise;
  const number =
    typeof value === "number" ? value : typeof value === "string" && value !== "" ? Number(value) : Number.NaN;
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw new SettingsRefusedError(
    `${name} is to be a whole number from ${least} to ${most}, and is ${JSON.stringify(value)}.`,
  );
}

function arnsOf(context: Context, name: string): readonly string[] {
  const arns = textOf(context, name, /^\S+$/, "ARNs of IAM principals, separated by commas")?.split(",") ?? [];
  const wrong = arns.find((arn) => !/^arn:aws[a-z-]*:iam::\d{12}:(root|role\/\S+|user\/\S+)$/.test(arn));
  if (wrong === undefined) return arns;
  throw new SettingsRefusedError(
    `${name} is to list ARNs such as arn:aws:iam::123456789012:role/exporter, and has ${JSON.stringify(wrong)}.`,
  );
}
