/**
 * A request to AWS failed. `message` names the resource and what to do, `cause` is the SDK's error. Errors are
 * identified by AWS's names and not by the SDK's classes, because each client has its own classes.
 */
export abstract class AwsError extends Error {}

/** The table, queue, bucket or function does not exist. */
export class AwsResourceMissingError extends AwsError {
  override readonly name = "AwsResourceMissingError";
}

/** IAM, or a policy of the resource, denies access. */
export class AwsAccessDeniedError extends AwsError {
  override readonly name = "AwsAccessDeniedError";
}

/** The credentials are missing, expired or invalid. */
class AwsCredentialsError extends AwsError {
  override readonly name = "AwsCredentialsError";
}

/** The local clock differs from AWS's by more than the five minutes for which a signature is valid. */
class AwsClockSkewError extends AwsError {
  override readonly name = "AwsClockSkewError";
}

/** The request was throttled, even after the SDK's retries. */
export class AwsThrottledError extends AwsError {
  override readonly name = "AwsThrottledError";
}

/** The endpoint cannot be reached or answers 5xx, even after the SDK's retries. */
class AwsUnavailableError extends AwsError {
  override readonly name = "AwsUnavailableError";
}

/** The SDK's settings are incomplete or invalid, for example the region or the endpoint. */
class AwsSettingsError extends AwsError {
  override readonly name = "AwsSettingsError";
}

/** AWS rejected the content of the request: a bug, or an outdated release. */
export class AwsRequestRefusedError extends AwsError {
  override readonly name = "AwsRequestRefusedError";
}

type Kind = "missing" | "denied" | "credentials" | "clock" | "throttled" | "unavailable" | "settings" | "refused";

/** The error names of the services and the SDK. */
const KINDS: Readonly<Record<string, Kind>> = {
  ResourceNotFoundException: "missing",
  QueueDoesNotExist: "missing",
  "AWS.SimpleQueueService.NonExistentQueue": "missing",
  NoSuchBucket: "missing",
  StateMachineDoesNotExist: "missing",
  ExecutionDoesNotExist: "missing",
  AccessDeniedException: "denied",
  AccessDenied: "denied",
  KmsAccessDenied: "denied",
  Forbidden: "denied",
  CredentialsProviderError: "credentials",
  ExpiredToken: "credentials",
  ExpiredTokenException: "credentials",
  IncompleteSignature: "credentials",
  InvalidAccessKeyId: "credentials",
  InvalidClientTokenId: "credentials",
  MissingAuthenticationToken: "credentials",
  MissingAuthenticationTokenException: "credentials",
  SignatureDoesNotMatch: "credentials",
  TokenRefreshRequired: "credentials",
  UnrecognizedClientException: "credentials",
  RequestExpired: "clock",
  RequestTimeTooSkewed: "clock",
  KmsThrottled: "throttled",
  LimitExceededException: "throttled",
  OverLimit: "throttled",
  ProvisionedThroughputExceededException: "throttled",
  RequestLimitExceeded: "throttled",
  RequestThrottled: "throttled",
  SlowDown: "throttled",
  Throttling: "throttled",
  ThrottlingException: "throttled",
  TooManyRequestsException: "throttled",
  InternalFailure: "unavailable",
  InternalServerError: "unavailable",
  ServiceUnavailable: "unavailable",
  TimeoutError: "unavailable",
  AbortError: "unavailable",
};

/** Node's codes for connections that failed. */
const BROKEN_CONNECTIONS = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
  // The code of `fetch` if the server has closed the connection.
  "UND_ERR_SOCKET",
]);

type Explanation = readonly [
  create: new (message: string, options: ErrorOptions) => AwsError,
  /** What follows the name of the resource: the problem, and what to do. */
  advice: string,
];

const EXPLANATIONS: Readonly<Record<Kind, Explanation>> = {
  missing: [
    AwsResourceMissingError,
    " does not exist in this account and region. Check its name and AWS_REGION, or deploy the stack.",
  ],
  denied: [
    AwsAccessDeniedError,
    ": access denied for these credentials. Run `aws sts get-caller-identity` to see the principal, and grant it the " +
      "action that AWS names.",
  ],
  credentials: [
    AwsCredentialsError,
    ": the credentials are missing, expired or not of this account. Sign in again (`aws sso login`), or renew " +
      "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN.",
  ],
  clock: [AwsClockSkewError, ": this machine's clock is wrong by more than five minutes. Set it."],
  throttled: [AwsThrottledError, " is throttled. Try again later. If it persists, raise its limit."],
  unavailable: [
    AwsUnavailableError,
    " cannot be reached. Try again. If it persists, check the network, AWS_REGION and AWS_ENDPOINT_URL.",
  ],
  settings: [
    AwsSettingsError,
    " cannot be reached: the region is not set. Set AWS_REGION, for example to eu-central-1.",
  ],
  refused: [
    AwsRequestRefusedError,
    " rejected the request. This release of Outlive may be older than the deployment: update it, or report a bug.",
  ],
};

/**
 * The SDK's error as an AwsError that says what to do. `what` names the resource at the beginning of a sentence:
 * "Table outlive-log", "Queue https://…". Any other error is returned unchanged.
 */
export function awsError(what: string, cause: unknown): unknown {
  if (!(cause instanceof Error) || cause instanceof AwsError) return cause;
  const kind = kindOf(cause);
  if (kind === undefined) return cause;
  const [Explained, advice] = EXPLANATIONS[kind];
  return new Explained(`${what}${advice} AWS said: ${cause.name}: ${cause.message}`, { cause });
}

/** `undefined` for an error that is not from AWS. */
function kindOf(cause: Error): Kind | undefined {
  // AWS uses the name of an invalid signature for one that is too early or too late.
  if (/signature (not yet current|expired)/i.test(cause.message)) return "clock";
  if (/region (is missing|not accepted)/i.test(cause.message)) return "settings";
  return KINDS[cause.name] ?? kindOfCode(cause) ?? kindOfStatus(cause);
}

/** SQS has two names for its errors; the older one is in `code`. */
function kindOfCode(cause: Error): Kind | undefined {
  const code = "Code" in cause ? cause.Code : "code" in cause ? cause.code : undefined;
  if (typeof code !== "string") return undefined;
  return BROKEN_CONNECTIONS.has(code) ? "unavailable" : KINDS[code];
}

function kindOfStatus(cause: Error): Kind | undefined {
  if (!("$metadata" in cause)) return undefined;
  const status = statusIn(cause.$metadata);
  if (status === undefined || status >= 500) return "unavailable";
  if (status === 403) return "denied";
  return status === 429 ? "throttled" : "refused";
}

function statusIn(metadata: unknown): number | undefined {
  if (typeof metadata !== "object" || metadata === null || !("httpStatusCode" in metadata)) return undefined;
  return typeof metadata.httpStatusCode === "number" ? metadata.httpStatusCode : undefined;
}
