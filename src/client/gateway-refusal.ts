/** What API Gateway answers of itself, in `message`, and what to do then (API Gateway developer guide, "Gateway response types"). */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [
    /^missing authentication token$/i,
    "It asks for an AWS signature, or has no such path: sign with --sign as a principal that may read, and check the address, which ends with the stage.",
  ],
  [
    /not a valid key=value pair|requires 'Credential' parameter/i,
    "It asks for an AWS signature and not for a token: leave the token out and give --sign.",
  ],
  [
    /execute-api:Invoke/i,
    "IAM does not let these credentials ask it: allow execute-api:Invoke on the API, then grant a reader with `outlive readers grant`.",
  ],
  [/security token .*expired/i, "Sign in to AWS again."],
  [
    /security token .*invalid|signature we calculated does not match/i,
    "These credentials are not of the API's account, or wrong: `aws sts get-caller-identity` says whose they are.",
  ],
  [/signature (expired|not yet current)/i, "Set this machine's clock: AWS takes a signature for five minutes."],
  [/^forbidden$/i, "It asks for an API key: give --api-key."],
  [
    /^(too many requests|limit exceeded)$/i,
    "The deployment takes so many requests a second and no more (-c requestsPerSecond=): try again in a moment.",
  ],
  [/timed out/i, "API Gateway waits 29 seconds: ask for less at once, or narrower."],
  [/internal server error/i, "The function failed before it could say why: see its log."],
];

/** The sentence for an answer that API Gateway gave itself, before any of ours; `undefined` where it is something else's. */
export function gatewayRefusal(name: string, status: number, body: unknown): string | undefined {
  const said = messageIn(body);
  const [, advice] = REFUSALS.find(([pattern]) => said !== undefined && pattern.test(said)) ?? [];
  return advice === undefined ? undefined : `${name} answered ${status} (${said}). ${advice}`;
}

/** Its own answers say `message`; those of IAM say `Message`. */
function messageIn(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const { message, Message } = body as { readonly message?: unknown; readonly Message?: unknown };
  return [message, Message].find((said) => typeof said === "string");
}
