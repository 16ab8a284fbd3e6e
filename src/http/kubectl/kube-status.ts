import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** An error of the Kubernetes API: `metav1.Status`. kubectl prints `message`. */
export interface KubeStatus {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  readonly metadata: Readonly<Record<string, never>>;
  readonly status: "Failure";
  readonly message: string;
  readonly reason: KubeReason;
  readonly code: number;
}

/** The values of `metav1.StatusReason` that this API uses, with their HTTP status. */
const CODES = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  Expired: 410,
  TooManyRequests: 429,
  InternalError: 500,
  ServiceUnavailable: 503,
} as const;
export type KubeReason = keyof typeof CODES;
/** The type of Object.keys is string[]. */
const REASONS = Object.keys(CODES) as readonly KubeReason[];

export function kubeStatus(reason: KubeReason, message: string): KubeStatus {
  const shown = message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH)}...` : message;
  const failure = { status: "Failure", message: shown, reason, code: CODES[reason] } as const;
  return { kind: "Status", apiVersion: "v1", metadata: {}, ...failure };
}

/** Messages repeat parts of the request, which may be long. */
const MAX_MESSAGE_LENGTH = 1_000;

/** The reason for an HTTP status that authentication has chosen. */
export function reasonOf(status: number): KubeReason {
  return REASONS.find((reason) => CODES[reason] === status) ?? "InternalError";
}

/** Sends an error as kube-apiserver does. */
export function respondStatus(context: Context, status: KubeStatus): Response {
  if (status.code === 401) context.header("www-authenticate", 'Bearer realm="outlive"');
  return context.body(JSON.stringify(status), {
    // Every status of CODES may have a body. Hono's type lists these statuses; the type here is number.
    status: status.code as ContentfulStatusCode,
    headers: { "content-type": "application/json" },
  });
}
