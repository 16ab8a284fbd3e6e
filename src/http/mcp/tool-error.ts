import type { Problem } from "../contract/problem.ts";
import { marked, plain } from "./marked.ts";
import { MAX_RESULT_BYTES, PROTOCOL_BYTES, type ToolResult } from "./answer.ts";

/** Something that the target may mean. */
export type Candidate = Readonly<Record<string, unknown>>;

/** Why a tool cannot answer, and what to call instead. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly candidates: readonly Candidate[];
  constructor(message: string, candidates: readonly Candidate[] = []) {
    super(message);
    this.candidates = candidates;
  }
}

type ErrorResult = Pick<ToolResult, "content"> & { readonly isError: true };

/** The result of a tool that cannot answer, with as many candidates as fit. */
export function errorResult({ message, candidates }: ToolError): ErrorResult {
  const result = failed({ sentence: message, ...(candidates.length > 0 && { candidates }) });
  return candidates.length === 0 || Buffer.byteLength(JSON.stringify(result)) <= MAX_RESULT_BYTES - PROTOCOL_BYTES
    ? result
    : errorResult(new ToolError(message, candidates.slice(0, -1)));
}

/** The result of a tool whose request the API refused. Details of the API may name objects of a cluster. */
export function refusedResult({ type, status, detail }: Problem): ErrorResult {
  const kind = type.slice(type.lastIndexOf(":") + 1);
  const sentence = SENTENCES.get(kind) ?? (status >= 500 ? UNAVAILABLE : REFUSED);
  return failed({ sentence, status, ...marked({ problem: plain(kind) }, { detail }) });
}

function failed(content: Readonly<Record<string, unknown>>): ErrorResult {
  return { isError: true, content: [{ type: "text", text: JSON.stringify(content) }] };
}

const REFUSED = "Outlive refused the request: `detail` says why.";
export const UNAVAILABLE = "Outlive could not compute the answer. Retry later; its log has the cause.";
const SENTENCES: ReadonlyMap<string, string> = new Map([
  ["unauthorized", "The token is missing, invalid or expired. Ask the user for a new one."],
  ["forbidden", "These credentials lack a grant: `detail` says which one. Ask the user for it."],
  ["server-unreachable", "The Outlive server cannot be reached: `detail` says why."],
  ["no-such-job", "No Job has this name, or these credentials have no access to it. Search with find_runs."],
  ["no-such-run", "No run has this name, or these credentials have no access to it. Search with find_runs."],
  ["no-such-cronjob", "No CronJob has this name, or these credentials have no access to it."],
  [
    "no-such-cluster",
    "No cluster has this name, or these credentials have no access to it. Call completeness for a list.",
  ],
  ["bad-cursor", "The cursor is invalid. Pass `more.cursor` unchanged with the same arguments, or begin without it."],
  ["bad-parameter", "An argument is invalid: `detail` says which one and why."],
  ["too-many-requests", "Too many requests. Wait some seconds before the next one."],
]);
