import * as v from "valibot";
import { type AnswerOf, maybe, text, whole } from "../../explain/answer-parts.ts";

const placeSchema = v.object({
  /** `query`, `path` or `header`. */
  in: text,
  name: text,
  detail: text,
});
export type ProblemPlace = AnswerOf<typeof placeSchema>;

export const problemSchema = v.pipe(
  v.object({
    type: text,
    title: text,
    status: whole,
    detail: v.pipe(text, v.description("What failed, and what to do.")),
    /** The invalid parameters, at most {@link MAX_ERRORS}. */
    errors: maybe(v.array(placeSchema)),
  }),
  v.description("Problem details (RFC 9457)."),
);
/** An error response. */
export type Problem = AnswerOf<typeof problemSchema>;

/** All kinds of problems, by the last part of `type`. */
const KINDS = {
  "bad-parameter": { title: "Invalid parameter", status: 400 },
  "bad-cursor": { title: "Invalid cursor", status: 400 },
  "body-not-expected": { title: "Unexpected request body", status: 400 },
  "bad-body": { title: "Invalid request body", status: 400 },
  unauthorized: { title: "Not authenticated", status: 401 },
  forbidden: { title: "Access denied", status: 403 },
  "foreign-origin": { title: "Request of another origin", status: 403 },
  "host-not-local": { title: "Host header is not a loopback name", status: 403 },
  "no-such-route": { title: "No such route", status: 404 },
  "no-such-cluster": { title: "No such cluster", status: 404 },
  "no-such-job": { title: "No such Job", status: 404 },
  "no-such-run": { title: "No such run", status: 404 },
  "no-such-cronjob": { title: "No such CronJob", status: 404 },
  "no-such-entry": { title: "No such entry", status: 404 },
  "method-not-allowed": { title: "Method not allowed", status: 405 },
  "request-not-http": { title: "Malformed HTTP request", status: 400 },
  "answer-too-large": { title: "Response too large", status: 400 },
  "header-too-large": { title: "Request headers too large", status: 431 },
  internal: { title: "Internal server error", status: 500 },
  "issuer-unreachable": { title: "Token issuer unreachable", status: 503 },
  "no-archive": { title: "Archive not available", status: 404 },
  "archive-too-large": { title: "Too much to read from the archive", status: 400 },
  "not-archived": { title: "Not archived yet", status: 404 },
  "cursor-expired": { title: "Cursor expired", status: 410 },
  "evidence-erased": { title: "Proof erased", status: 410 },
  "no-streams": { title: "Streams not supported", status: 406 },
  "request-timeout": { title: "Request timeout", status: 408 },
  "body-too-large": { title: "Request body too large", status: 413 },
  "body-not-json": { title: "Request body is not JSON", status: 415 },
  "read-only": { title: "Server only reads", status: 405 },
  "request-too-large": { title: "Request too large", status: 414 },
  "too-many-requests": { title: "Too many requests", status: 429 },
  "too-many-streams": { title: "Too many streams", status: 503 },
  "no-space": { title: "Not enough free space", status: 507 },
  "not-ready": { title: "Not ready", status: 503 },
} as const;
export type ProblemKind = keyof typeof KINDS;

export const PROBLEM_MEDIA_TYPE = "application/problem+json";

/** The most invalid parameters that a problem lists. */
export const MAX_ERRORS = 10;

export function problem(kind: ProblemKind, detail: string, errors?: readonly ProblemPlace[]): Problem {
  return { type: `urn:outlive:problem:${kind}`, ...KINDS[kind], detail, ...(errors && { errors }) };
}

/** Whether the body of an answer is a problem. */
export function isProblem(body: unknown): body is Problem {
  return (
    typeof body === "object" && body !== null && "detail" in body && typeof body.detail === "string" && "status" in body
  );
}
