/**
 * AWS cannot do what was asked, as things are: `message` says of what it is about and what to do, `cause` is what the SDK threw. Errors are known by
 * the names AWS gives them and not by the SDK's classes: each client has classes of its own for the same thing.
 */
export abstract class AwsError extends Error {}

/** The table, queue, bucket or function is not there. */
export class AwsResourceMissingError extends AwsError {
  override readonly name = "AwsResourceMissingError";
}

/** IAM, or a policy of the resource, says no. */
export class AwsAccessDeniedError extends AwsError {
  override readonly name = "AwsAccessDeniedError";
}

/** There are no credentials, they are out of date, or nobody's. */
class AwsCredentialsError extends AwsError {
  override readonly name = "AwsCredentialsError";
}

/** AWS takes a signature for five minutes before and after its own time. */
class AwsClockSkewError extends AwsError {
  override readonly name = "AwsClockSkewError";
}

/** More was asked for than is allowed at once, also after the SDK's retries. */
export class AwsThrottledError extends AwsError {
  override readonly name = "AwsThrottledError";
}

/** The endpoint cannot be reached, or answers with its own failure (5xx), also after the SDK's retries. */
class AwsUnavailableError extends AwsError {
  override readonly name = "AwsUnavailableError";
}

/** Settings of this process that no request can be made with: no region, an endpoint that is no URL. */
class AwsSettingsError extends AwsError {
  override readonly name = "AwsSettingsError";
}

/** AWS refused the request for what is in it: the program is wrong, or older than what it talks to. */
export class AwsRequestRefusedError extends AwsError {
  override readonly name = "AwsRequestRefusedError";
}

type Kind =
  | "missing"
  | "denied"
  | "credentials"
  | "clock"
  | "throttled"
  | "unavailable"
  | "settings"
  | "refused"
  | "foreign";

/** Names of errors as the services and the SDK give them, by what they mean for whoever asked. */
const KINDS: Readonly<Record<string, Kind>> = {
  ResourceNotFoundException: "missing",
  QueueDoesNotExist: "missing",
  "AWS.SimpleQueueService.NonExistentQueue": "missing",
  NoSuchBucket: "missing",
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

/** What Node calls a connection that could not be made or broke off. */
const BROKEN_CONNECTIONS = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
]);

/**
 * What an SDK client threw, as an error whose sentence says what to do. `what` names the thing asked for, as a sentence begins: "Table outlive-log",
 * "Queue https://…". What is not AWS's error comes back as it is.
 */
export function awsError(what: string, cause: unknown): unknown {
  if (!(cause instanceof Error) || cause instanceof AwsError) return cause;
  const said = `AWS said: ${cause.name}: ${cause.message}`;
  switch (kindOf(cause)) {
    case "missing":
      return new AwsResourceMissingError(
        `${what} does not exist in this account and region. Check its name and AWS_REGION, or deploy the stack. ${said}`,
        { cause },
      );
    case "denied":
      return new AwsAccessDeniedError(
        `${what} may not be used so by these credentials. Run \`aws sts get-caller-identity\` to see whose they are, and allow the action that is named here. ${said}`,
        { cause },
      );
    case "credentials":
      return new AwsCredentialsError(
        `${what} was asked for without valid credentials: they are missing, expired or not of this account. Sign in again (\`aws sso login\`), or renew AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN. ${said}`,
        { cause },
      );
    case "clock":
      return new AwsClockSkewError(
        `${what} was asked for with a clock that is more than five minutes wrong. Set this machine's clock. ${said}`,
        { cause },
      );
    case "throttled":
      return new AwsThrottledError(
        `${what} is asked for more often than it allows. Try again later; if it stays so, raise its limit. ${said}`,
        { cause },
      );
    case "unavailable":
      return new AwsUnavailableError(
        `${what} cannot be reached at this moment. Try again; check the network, AWS_REGION and AWS_ENDPOINT_URL if it stays so. ${said}`,
        { cause },
      );
    case "settings":
      return new AwsSettingsError(`${what} cannot be asked for: set AWS_REGION, for example to eu-central-1. ${said}`, {
        cause,
      });
    case "refused":
      return new AwsRequestRefusedError(
        `${what} refused the request. This build of Outlive may be older than the deployment: update it, or report this. ${said}`,
        { cause },
      );
    case "foreign":
      return cause;
  }
}

function kindOf(cause: Error): Kind {
  // A signature that came too late or too early has the name of one that is wrong.
  if (/signature (not yet current|expired)/i.test(cause.message)) return "clock";
  if (/region (is missing|not accepted)/i.test(cause.message)) return "settings";
  return KINDS[cause.name] ?? kindOfCode(cause) ?? kindOfStatus(cause) ?? "foreign";
}

/** SQS names its errors in two ways, of which the older one stands in the code. */
function kindOfCode(cause: Error): Kind | undefined {
  const code = "Code" in cause ? cause.Code : "code" in cause ? cause.code : undefined;
  if (typeof code !== "string") return undefined;
  return BROKEN_CONNECTIONS.has(code) ? "unavailable" : KINDS[code];
}

function kindOfStatus(cause: Error): Kind | undefined {
  if (!("$metadata" in cause)) return undefined;
  const { httpStatusCode: status } = cause.$metadata as { readonly httpStatusCode?: number };
  if (status === undefined || status >= 500) return "unavailable";
  if (status === 403) return "denied";
  return status === 429 ? "throttled" : "refused";
}
