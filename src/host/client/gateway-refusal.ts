/** Errors that API Gateway and IAM return themselves, and what to do (API Gateway guide, "Gateway response types"). */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /^missing authentication token$/i,
    "The API requires an AWS signature, or the path does not exist. " +
      "Set --sign, as a principal with read access, and check the address, which ends with the stage.",
  ],
  [
    /not a valid key=value pair|requires 'Credential' parameter/i,
    "The API requires an AWS signature instead of a token. Set --sign and no token.",
  ],
  [
    /execute-api:Invoke/i,
    "These credentials lack execute-api:Invoke on the API. " +
      "Grant it, then add the reader with `outlive readers grant`.",
  ],
  [/security token .*expired/i, "Sign in to AWS again."],
  [
    /security token .*invalid|signature we calculated does not match/i,
    "The credentials are invalid, or of another account. Check them with `aws sts get-caller-identity`.",
  ],
  [/signature (expired|not yet current)/i, "Set this machine's clock: AWS accepts a signature for five minutes."],
  [/^forbidden$/i, "The API requires an API key. Set --api-key."],
  [
    /^(too many requests|limit exceeded)$/i,
    "The deployment limits requests per second (-c requestsPerSecond=). Retry in a moment.",
  ],
  [/timed out/i, "API Gateway waits at most 29 seconds. Request less data, or use narrower filters."],
  [/internal server error/i, "The function failed without a reason. Read its log."],
];

/** Explains an error of API Gateway itself; `undefined` where the error is from another source. */
export function gatewayRefusal(name: string, status: number, body: unknown): string | undefined {
  const message = messageIn(body);
  const [, advice] = ADVICE.find(([pattern]) => message !== undefined && pattern.test(message)) ?? [];
  return advice === undefined ? undefined : `${name} answered ${status} (${message}). ${advice}`;
}

/** API Gateway writes `message`; IAM writes `Message`. */
function messageIn(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const { message, Message } = body as { readonly message?: unknown; readonly Message?: unknown };
  return [message, Message].find((text) => typeof text === "string");
}
