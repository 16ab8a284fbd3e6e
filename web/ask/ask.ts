import type { Asked } from "./asked.ts";
import { authorization, signedOut } from "./session.ts";

export type Parameters = Readonly<Record<string, string | number | undefined>>;

/** The timeout of a request, in milliseconds: slightly more than API Gateway's integration timeout of 29 s. */
const PATIENCE = 32_000;

/** Requests that were sent before the view that needs them was loaded, by URL. */
const sent = new Map<string, Promise<Response>>();
/** An unused early response is outdated after this time. */
const AHEAD_MILLIS = 5_000;

/**
 * Sends a request early. {@link ask} uses its response once, so that loading a view and its data take one wait
 * instead of two.
 */
export function askAhead(path: string, parameters: Parameters): void {
  const url = urlOf(path, parameters);
  const answer = send(url, AbortSignal.timeout(PATIENCE));
  // The caller of {@link ask} handles the error. Without a caller it does not matter.
  answer.catch(() => undefined);
  sent.set(url, answer);
  setTimeout(() => sent.delete(url), AHEAD_MILLIS);
}

/**
 * Sends a request to the API, with a path below `/v1`. After 401 the page shows the sign-in view, and repeats the
 * request after the sign-in.
 */
export async function ask<Answer>(path: string, parameters: Parameters, signal: AbortSignal): Promise<Asked<Answer>> {
  try {
    const url = urlOf(path, parameters);
    const response = await (taken(url) ?? send(url, AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)])));
    if (response.status === 401) signedOut();
    if (!response.ok) return await refusal(response);
    // The API's own tests check this type.
    return { outcome: "answered", answer: (await response.json()) as Answer, at: Date.now() };
  } catch (error) {
    if (signal.aborted) throw error;
    return { outcome: "unreachable", detail: unreachable(error) };
  }
}

function taken(url: string): Promise<Response> | undefined {
  const answer = sent.get(url);
  sent.delete(url);
  return answer;
}

function send(url: string, signal: AbortSignal): Promise<Response> {
  return fetch(url, { headers: authorization(), signal, cache: "no-store" });
}

export function urlOf(path: string, parameters: Parameters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== "") query.set(name, String(value));
  }
  const text = query.toString();
  return `./v1/${path}${text === "" ? "" : `?${text}`}`;
}

async function refusal(response: Response): Promise<Asked<never>> {
  const problem = await readProblem(response);
  return {
    outcome: "refused",
    status: response.status,
    title: problem.title ?? `The server answered ${response.status}`,
    detail: problem.detail ?? "It said nothing about the cause. Ask again in a moment; the server's own log has more.",
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
    ? `The server did not answer within ${PATIENCE / 1_000} seconds.`
    : "The server is out of reach: it may be restarting, or the network is down.";
}
