/** An error as the API answers it: problem details (RFC 9457). `detail` says what to do and where. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** Each thing that is wrong with the request, where more than one place can be. */
  readonly errors?: readonly ProblemPlace[];
}
export interface ProblemPlace {
  /** `query`, `path` or `header`, and which. */
  readonly in: string;
  readonly name: string;
  readonly detail: string;
}

/** Every kind of problem the API knows, by the last part of its `type`. */
const KINDS = {
  "bad-parameter": { title: "A parameter is not understood", status: 400 },
  "bad-cursor": { title: "The cursor does not fit", status: 400 },
  "body-not-expected": { title: "The request has a body", status: 400 },
  unauthorized: { title: "No valid token", status: 401 },
  forbidden: { title: "Nothing is granted", status: 403 },
  "host-not-local": { title: "The Host header is not a loopback name", status: 403 },
  "no-such-route": { title: "No such route", status: 404 },
  "no-such-cluster": { title: "No such cluster", status: 404 },
  "no-such-job": { title: "No such Job", status: 404 },
  "no-such-cronjob": { title: "No such CronJob", status: 404 },
  "method-not-allowed": { title: "Method not allowed", status: 405 },
  "request-not-http": { title: "The request cannot be read", status: 400 },
  "answer-too-large": { title: "The answer is too large", status: 400 },
  "header-too-large": { title: "The request's headers are too large", status: 431 },
  internal: { title: "The server failed", status: 500 },
  "issuer-unreachable": { title: "Tokens cannot be checked now", status: 503 },
  "no-streams": { title: "No streams here", status: 406 },
  "too-many-streams": { title: "Too many streams", status: 503 },
  "not-ready": { title: "Not ready", status: 503 },
} as const;
export type ProblemKind = keyof typeof KINDS;

export const PROBLEM_MEDIA_TYPE = "application/problem+json";

export function problem(kind: ProblemKind, detail: string, errors?: readonly ProblemPlace[]): Problem {
  return { type: `urn:outlive:problem:${kind}`, ...KINDS[kind], detail, ...(errors && { errors }) };
}
