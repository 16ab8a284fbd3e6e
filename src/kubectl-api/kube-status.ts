/** An error as the Kubernetes API answers it: `metav1.Status`. kubectl prints `message`. */
export interface KubeStatus {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  readonly metadata: Readonly<Record<string, never>>;
  readonly status: "Failure";
  readonly message: string;
  readonly reason: KubeReason;
  readonly code: number;
}

/** `metav1.StatusReason`, as far as this API has use for it, and the HTTP status that goes with it. */
const CODES = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  Expired: 410,
  InternalError: 500,
  ServiceUnavailable: 503,
} as const;
export type KubeReason = keyof typeof CODES;
/** Object.keys does not tell that they are these. */
const REASONS = Object.keys(CODES) as readonly KubeReason[];

export function kubeStatus(reason: KubeReason, message: string): KubeStatus {
  const shown = message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH)}...` : message;
  const failure = { status: "Failure", message: shown, reason, code: CODES[reason] } as const;
  return { kind: "Status", apiVersion: "v1", metadata: {}, ...failure };
}

/** Messages repeat what was asked for: a name of 10 kB is known to who wrote it. */
const MAX_MESSAGE_LENGTH = 1_000;

/** The reason for an HTTP status that was decided elsewhere: who may ask. */
export function reasonOf(status: number): KubeReason {
  return REASONS.find((reason) => CODES[reason] === status) ?? "InternalError";
}
