import { type Problem, problem } from "../contract/problem.ts";

/**
 * Longest URL path. A Job's path has a cluster (63), a namespace (63) and a name (253), each percent-encoded at worst.
 */
const MAX_PATH_LENGTH = 2_048;
/** Longest query string. A batch of 100 Jobs by namespace and name fits. */
const MAX_QUERY_LENGTH = 14_336;
/** `GET /v1/healthz` and `/v1/readyz` take no parameters, and answer without authentication. */
const MAX_OPEN_QUERY_LENGTH = 256;
/** A batch names up to 100 Jobs, each in a parameter of its own. */
const MAX_PARAMETERS = 256;
/** `Accept` of kubectl has about 200 characters; `Last-Event-ID` is a cursor of up to 4,096. */
const MAX_HEADER_LENGTH = 4_096;

/** The path and the query string of a request URL. */
export interface RequestTarget {
  readonly path: string;
  readonly query: string;
}

/** Splits a URL without parsing its host: a Host header such as `127.999.1.1` makes no valid URL. */
export function requestTarget(url: string): RequestTarget {
  const pathStart = url.indexOf("/", url.indexOf("://") + 3);
  const queryStart = url.indexOf("?");
  const pathEnd = queryStart < 0 ? url.length : queryStart;
  const path = pathStart < 0 || pathStart > pathEnd ? "/" : url.slice(pathStart, pathEnd);
  return { path, query: queryStart < 0 ? "" : url.slice(queryStart + 1) };
}

/**
 * Why a request is too large to be processed; `undefined` if it is within the limits. Takes time proportional to its
 * length at most.
 */
export function oversized(target: RequestTarget, headers: Headers): Problem | undefined {
  const isOpen = OPEN_PATHS.has(target.path);
  const maxQuery = isOpen ? MAX_OPEN_QUERY_LENGTH : MAX_QUERY_LENGTH;
  if (target.path.length > MAX_PATH_LENGTH) return tooLong(`The path is longer than ${MAX_PATH_LENGTH} characters.`);
  if (target.query.length > maxQuery) return tooLong(`The query is longer than ${maxQuery} characters.`);
  if (countParameters(target.query) > MAX_PARAMETERS) {
    return tooLong(`The query has more than ${MAX_PARAMETERS} parameters.`);
  }
  const header = BOUNDED_HEADERS.find((name) => (headers.get(name)?.length ?? 0) > MAX_HEADER_LENGTH);
  if (header === undefined) return undefined;
  return problem("header-too-large", `The header ${header} is longer than ${MAX_HEADER_LENGTH} characters.`);
}

/** Routes that answer without authentication. */
export const OPEN_PATHS: ReadonlySet<string> = new Set(["/v1/healthz", "/v1/readyz"]);
const BOUNDED_HEADERS = ["accept", "last-event-id", "host"];

function tooLong(detail: string): Problem {
  return problem("request-too-large", `${detail} Send a shorter request.`);
}

function countParameters(query: string): number {
  let count = query === "" ? 0 : 1;
  for (let at = query.indexOf("&"); at >= 0; at = query.indexOf("&", at + 1)) count += 1;
  return count;
}
