import type { ApiResult } from "./api-result.ts";
import { authorization, currentToken, signedOut } from "./session.ts";

export type Parameters = Readonly<Record<string, string | number | undefined>>;

/** The timeout of a request, in milliseconds: slightly more than API Gateway's integration timeout of 29 s. */
const TIMEOUT_MILLIS = 32_000;

interface Sent {
  readonly response: Promise<Response>;
  /** The token that the request carries. */
  readonly token: string | undefined;
}

/** Requests that were sent before the view that needs them was loaded, by URL. */
const early = new Map<string, Sent>();
/** An unused early response is outdated after this time. */
const PREFETCH_MILLIS = 5_000;

/**
 * Sends a request early. {@link request} uses its response once, so that a view and its data load at the same time.
 */
export function prefetch(path: string, parameters: Parameters): void {
  const url = urlOf(path, parameters);
  const sent = send(url, { signal: AbortSignal.timeout(TIMEOUT_MILLIS) });
  // The caller of `request` handles the error. Without a caller it does not matter.
  sent.response.catch(() => undefined);
  early.set(url, sent);
  setTimeout(() => early.delete(url), PREFETCH_MILLIS);
}

/**
 * Sends a request to the API, with a path below `/v1`. After 401 the page shows the sign-in view, and repeats the
 * request after the sign-in. If the reader has signed in meanwhile, the request is repeated at once.
 */
export async function request<Answer>(
  path: string,
  parameters: Parameters,
  signal: AbortSignal,
): Promise<ApiResult<Answer>> {
  try {
    const url = urlOf(path, parameters);
    const sent = taken(url) ?? send(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MILLIS)]) });
    const response = await sent.response;
    if (response.status === 401) {
      const hasEnded = signedOut(sent.token);
      if (!hasEnded) return await request(path, parameters, signal);
    }
    if (!response.ok) return await refusal(response);
    // The API's own tests check this type.
    return { outcome: "answered", answer: (await response.json()) as Answer, at: Date.now() };
  } catch (error) {
    if (signal.aborted) throw error;
    return { outcome: "unreachable", detail: unreachable(error) };
  }
}

/** Sends a change to the API. `body` is sent as JSON. */
export async function change(
  method: "PUT" | "DELETE",
  path: string,
  body: object | undefined,
): Promise<ApiResult<undefined>> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MILLIS);
    const content = body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const sent = send(urlOf(path, {}), { method, signal, ...content });
    const response = await sent.response;
    if (response.status === 401) signedOut(sent.token);
    return response.ok ? { outcome: "answered", answer: undefined, at: Date.now() } : await refusal(response);
  } catch (error) {
    return { outcome: "unreachable", detail: unreachable(error) };
  }
}

function taken(url: string): Sent | undefined {
  const sent = early.get(url);
  early.delete(url);
  return sent;
}

interface Init extends Omit<RequestInit, "headers"> {
  readonly headers?: Readonly<Record<string, string>>;
}

function send(url: string, { headers, ...init }: Init): Sent {
  const response = fetch(url, { ...init, headers: { ...authorization(), ...headers }, cache: "no-store" });
  return { response, token: currentToken() };
}

export function urlOf(path: string, parameters: Parameters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== "") query.set(name, String(value));
  }
  const text = query.toString();
  return `./v1/${path}${text === "" ? "" : `?${text}`}`;
}

async function refusal(response: Response): Promise<ApiResult<never>> {
  const problem = await readProblem(response);
  return {
    outcome: "refused",
    status: response.status,
    title: problem.title ?? `The server answered ${response.status}`,
    detail: problem.detail ?? "The response has no reason. Retry in a moment, or read the server's log.",
  };
}

interface ProblemBody {
  readonly title?: string;
  readonly detail?: string;
}

/** A proxy may respond without problem details. */
async function readProblem(response: Response): Promise<ProblemBody> {
  try {
    const body: unknown = await response.json();
    return typeof body === "object" && body !== null ? body : {};
  } catch {
    return {};
  }
}

function unreachable(error: unknown): string {
  return error instanceof DOMException && error.name === "TimeoutError"
    ? `The server did not answer within ${TIMEOUT_MILLIS / 1_000} seconds.`
    : "Cannot reach the server. It may be restarting, or the network is down.";
}
