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
  /**
   * Seconds for which new segments are collected before they are folded together, 0 to 5. 0 folds each as it comes, in up to ten lanes at once. A Job has its
   * news in several segments soon after one another: collected and written once they cost half a write unit less and are answered that much later
   * (docs/benchmarks.md). Then a shard of the log's stream has one lane, because lanes deal a cluster's segments out: for clusters that are not too busy. @default 0
   */
  readonly foldSeconds: number;
  /** Whose key encrypts tables, queues and buckets at rest: AWS's own, free of charge, or one of the account's own, with its use in CloudTrail. @default "aws" */
  readonly encryption: "aws" | "customer";
  /** Whoever can send to the queue may speak for any cluster. Set with `-c openMode=true`, which lets anybody read as well. @default false */
  readonly openMode: boolean;
  /** Who may ask, by one way and no other: `-c oidcIssuer=... -c oidcAudience=...`, or `-c iamAccess=true`, or `-c openMode=true`. */
  readonly readers: Readers;
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
  /** Whether every request must carry an API key (`x-api-key`), each with a share of the usage plan. Not a proof of who asks; the page has none to send. @default false */
  readonly apiKey: boolean;
}

export type Readers =
  /** Everybody who reaches the API. For trials and emulators. */
  | { readonly kind: "open" }
  /** IAM principals to which something is granted; API Gateway checks their signature (SigV4). */
  | { readonly kind: "iam" }
  | OidcReaders;

/** Bearers of a JWT; docs/access.md says what its claims grant. */
export interface OidcReaders {
  readonly kind: "oidc";
  /** `https://...`, exactly as the tokens' `iss`. */
  readonly issuer: string;
  /** One or more, separated by commas. */
  readonly audience: string;
  /** Where the issuer keeps its keys. @default as its discovery document says */
  readonly keysUrl?: string;
  /** @default "outlive" */
  readonly claim?: string;
  /** @default "groups" */
  readonly groupsClaim?: string;
  /** What a group may see, as JSON: `{"sre":["*"]}`. @default nothing */
  readonly groupGrants?: string;
  /** How readers of the page sign in with the issuer; docs/page.md says what to register there. @default they paste a token */
  readonly page?: PageClient;
}

/**
 * The page as a public client of the issuer: authorization code with PKCE (RFC 7636), no secret. Here and not read from the issuer's discovery document,
 * because the page's Content-Security-Policy names the origin that may be asked for tokens, and the function that hands it out asks nobody anything.
 */
export interface PageClient {
  /** As the issuer names the client. `-c pageClientId=...` */
  readonly clientId: string;
  /** `authorization_endpoint` of the issuer's discovery document, https. `-c pageAuthorizationUrl=...` */
  readonly authorizationUrl: string;
  /** `token_endpoint` of the issuer's discovery document, https; it answers the page's origin (CORS). `-c pageTokenUrl=...` */
  readonly tokenUrl: string;
  /** Separated by spaces. `-c "pageScope=openid groups"`. @default "openid" */
  readonly scope?: string;
  /** Which of the tokens the page shows to the API. Cognito's access token has no `aud`: send the id token there. `-c pageToken=...`. @default "access_token" */
  readonly token?: "access_token" | "id_token";
}

/** A setting, or two together, make no sense. The message says which and what to write instead. */
export class SettingsRefusedError extends Error {
  override readonly name = "SettingsRefusedError";
}

/** Settings as they come from `-c name=value`, where every value is a text, and from cdk.json, where it may be more. */
export type Context = (name: string) => unknown;

/** What `-c` takes. */
const NAMES: readonly string[] = [
  "stage disposable retentionDays foldSeconds encryption openMode senderArns alarmEmail reserveConcurrency",
  "requestsPerSecond apiKey iamAccess oidcIssuer oidcAudience oidcKeysUrl oidcClaim oidcGroupsClaim oidcGroupGrants",
  "pageClientId pageAuthorizationUrl pageTokenUrl pageScope pageToken",
].flatMap((names) => names.split(" "));

/**
 * Refuses what was given and is no setting: a name that is misspelt would otherwise be a setting that is left at its default, in silence. The CDK's own context
 * has other signs than letters in its names. Throws {@link SettingsRefusedError}.
 */
export function refuseUnknownSettings(given: readonly string[]): void {
  const unknown = given.find((name) => /^[a-zA-Z]+$/.test(name) && !NAMES.includes(name));
  if (unknown === undefined) return;
  const meant = NAMES.find((name) => name.toLowerCase() === unknown.toLowerCase());
  throw new SettingsRefusedError(
    `There is no setting ${unknown}. ${meant === undefined ? `There are: ${NAMES.join(", ")}` : `Write ${meant}`}.`,
  );
}

/** Reads and checks everything before the first construct is made. Throws {@link SettingsRefusedError}. */
export function readSettings(context: Context): Settings {
  const stage =
    textOf(context, "stage", /^[a-z][a-z0-9-]{0,15}$/, "1 to 16 of a-z, 0-9 and -, a letter first") ?? "live";
  const alarmEmail = textOf(context, "alarmEmail", /^[^\s@]+@[^\s@]+$/, "an address such as ops@example.org");
  const disposable = flagOf(context, "disposable");
  const openMode = flagOf(context, "openMode");
  if (openMode && !disposable) {
    throw new SettingsRefusedError(
      `Stage ${stage} would let anybody write and read what it keeps. Leave out -c openMode=true, or add -c disposable=true if it is a trial.`,
    );
  }
  return {
    stage,
    disposable,
    retentionDays: numberOf(context, "retentionDays", { least: 1, most: 3650, otherwise: 400 }),
    foldSeconds: numberOf(context, "foldSeconds", { least: 0, most: 5, otherwise: 0 }),
    encryption:
      textOf(context, "encryption", /^(aws|customer)$/, "aws or customer") === "customer" ? "customer" : "aws",
    openMode,
    readers: readersOf(context, openMode),
    senderArns: arnsOf(context, "senderArns"),
    ...(alarmEmail !== undefined && { alarmEmail }),
    reserveConcurrency: flagOf(context, "reserveConcurrency"),
    requestsPerSecond: numberOf(context, "requestsPerSecond", { least: 1, most: 10_000, otherwise: 50 }),
    apiKey: flagOf(context, "apiKey"),
  };
}

function readersOf(context: Context, openMode: boolean): Readers {
  const page = pageClientOf(context);
  const oidc = oidcOf(context, page);
  const ways: readonly Readers[] = [
    ...(openMode ? [{ kind: "open" } as const] : []),
    ...(flagOf(context, "iamAccess") ? [{ kind: "iam" } as const] : []),
    ...(oidc === undefined ? [] : [oidc]),
  ];
  const [way, another] = ways;
  if (page !== undefined && oidc === undefined) {
    throw new SettingsRefusedError(
      "Who signs in on the page brings a token of an issuer, and none is named whose tokens are taken. Add -c oidcIssuer=https://... -c oidcAudience=..., or leave out pageClientId, pageAuthorizationUrl and pageTokenUrl.",
    );
  }
  if (way !== undefined && another === undefined) return way;
  throw new SettingsRefusedError(
    way === undefined
      ? "Nobody could ask this stage anything. Say who may: -c oidcIssuer=https://... -c oidcAudience=..., or -c iamAccess=true; for a trial -c disposable=true -c openMode=true."
      : "Readers come by one way only, so that everybody can tell who may read. Keep one of oidcIssuer with oidcAudience, iamAccess, and openMode; another way is another stage.",
  );
}

function oidcOf(context: Context, page: PageClient | undefined): OidcReaders | undefined {
  const issuer = addressOf(context, "oidcIssuer", /^https:\/\/[^\s?#]+$/, "an address that begins with https://");
  const audience = textOf(context, "oidcAudience", /^\S+$/, "the audience of the tokens");
  const rules = oidcRulesOf(context);
  if (issuer !== undefined && audience !== undefined) {
    return { kind: "oidc", issuer, audience, ...rules, ...(page !== undefined && { page }) };
  }
  if (issuer === undefined && audience === undefined && Object.keys(rules).length === 0) return undefined;
  throw new SettingsRefusedError(
    "Readers with a JWT need both: -c oidcIssuer=https://... (the tokens' iss) and -c oidcAudience=... (their aud).",
  );
}

function oidcRulesOf(context: Context): Pick<OidcReaders, "keysUrl" | "claim" | "groupsClaim" | "groupGrants"> {
  const keysUrl = addressOf(context, "oidcKeysUrl", /^https:\/\/\S+$/, "an address that begins with https://");
  const claim = textOf(context, "oidcClaim", /^\S+$/, "the name of a claim");
  const groupsClaim = textOf(context, "oidcGroupsClaim", /^\S+$/, "the name of a claim");
  const groupGrants = groupGrantsOf(context, "oidcGroupGrants");
  return {
    ...(keysUrl !== undefined && { keysUrl }),
    ...(claim !== undefined && { claim }),
    ...(groupsClaim !== undefined && { groupsClaim }),
    ...(groupGrants !== undefined && { groupGrants }),
  };
}

/** docs/access.md says what a grant is; the functions read them anew (src/runtime/variables.ts). */
const GRANT = /^(\*|[A-Za-z0-9][A-Za-z0-9._-]{0,62}\/(\*|[a-z0-9][a-z0-9-]{0,62}))$/;

function groupGrantsOf(context: Context, name: string): string | undefined {
  const form = 'JSON such as {"sre":["*"],"data":["prod-eu/data"]}, each grant CLUSTER/NAMESPACE, CLUSTER/* or *';
  const text = textOf(context, name, /^\{.*\}$/, form);
  if (text === undefined || Object.values(objectIn(text) ?? { text }).every(isGrants)) return text;
  throw new SettingsRefusedError(`${name} is to be ${form}, and is ${JSON.stringify(text)}.`);
}

function isGrants(value: unknown): boolean {
  return Array.isArray(value) && value.every((grant) => typeof grant === "string" && GRANT.test(grant));
}

function objectIn(text: string): object | undefined {
  try {
    return JSON.parse(text) as object;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

/** https (RFC 6749, 3.1.2.1) and no fragment (RFC 6749, 3.1), which a browser would not send. */
const ENDPOINT = /^https:\/\/[^\s/?#:@]+(:\d{1,5})?([/?][^\s#]*)?$/;
/** RFC 6749, 3.3. */
const SCOPE = /^[!#-[\]-~]+( [!#-[\]-~]+)*$/;

function pageClientOf(context: Context): PageClient | undefined {
  const clientId = textOf(context, "pageClientId", /^[!-~]+$/, "the issuer's name for the page, without spaces");
  const authorizationUrl = endpointOf(context, "pageAuthorizationUrl");
  const tokenUrl = endpointOf(context, "pageTokenUrl");
  const tokens = pageTokensOf(context);
  if (clientId !== undefined && authorizationUrl !== undefined && tokenUrl !== undefined) {
    return { clientId, authorizationUrl, tokenUrl, ...tokens };
  }
  const given = [clientId, authorizationUrl, tokenUrl, ...Object.values(tokens)];
  if (given.every((value) => value === undefined)) return undefined;
  throw new SettingsRefusedError(
    "Signing in on the page needs all three: -c pageClientId=..., and from the issuer's discovery document -c pageAuthorizationUrl=https://... (authorization_endpoint) and -c pageTokenUrl=https://... (token_endpoint). Without any, readers paste a token.",
  );
}

/** An issuer gives an id token only where `openid` is among the scopes (OpenID Connect Core, 3.1.2.1). */
function pageTokensOf(context: Context): Pick<PageClient, "scope" | "token"> {
  const scope = textOf(context, "pageScope", SCOPE, 'scopes separated by a space, such as "openid groups"');
  const said = textOf(context, "pageToken", /^(access|id)_token$/, "access_token or id_token");
  const token = said === "id_token" || said === "access_token" ? said : undefined;
  if (token === "id_token" && scope?.split(" ").includes("openid") === false) {
    throw new SettingsRefusedError(
      `An issuer gives an id token only to who asks for openid, and pageScope is ${JSON.stringify(scope)}. Add openid to it, or leave out -c pageToken=id_token.`,
    );
  }
  return { ...(scope !== undefined && { scope }), ...(token !== undefined && { token }) };
}

function endpointOf(context: Context, name: string): string | undefined {
  return addressOf(context, name, ENDPOINT, "an address that begins with https:// and has no fragment");
}

/** An issuer on this machine, for trials on an emulator, whose functions run here as well. On AWS nobody would answer there. */
const ON_THIS_MACHINE = /^http:\/\/(localhost|127(\.\d{1,3}){3})(:\d{1,5})?(\/[^\s?#]*)?$/;

function addressOf(context: Context, name: string, pattern: RegExp, form: string): string | undefined {
  const value = context(name);
  if (typeof value === "string" && ON_THIS_MACHINE.test(value) && flagOf(context, "disposable")) return value;
  return textOf(context, name, pattern, form);
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
