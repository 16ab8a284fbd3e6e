import { retryingFetch } from "../../../client/retrying-fetch.js";
import { errorMessage } from "../../job/text/error-message.ts";
import type { ApiClient } from "./api-client.ts";
import { ApiError } from "./api-error.ts";
import { authenticatedRequest, type Credentials } from "./credentials.ts";

export interface RemoteClientOptions {
  /** After how long a request fails that was not answered. @default the five minutes of `fetch` */
  readonly timeoutMillis?: number;
}

/** A client of the API at `server`, for example http://127.0.0.1:8080. Requests throw AwsError if signing fails. */
export function remoteClient(
  server: string,
  credentials: Credentials,
  { timeoutMillis }: RemoteClientOptions = {},
): ApiClient {
  const base = baseOf(server);
  const request = async (path: string, accept?: string): Promise<Response> => {
    const target = new URL(base.pathname.replace(/\/$/, "") + path, base);
    const { url, headers } = await authenticatedRequest(credentials, target);
    const signal = timeoutMillis === undefined ? {} : { signal: AbortSignal.timeout(timeoutMillis) };
    const init = { headers: { ...headers, ...(accept !== undefined && { accept }) }, ...signal };
    return refuseRedirect(base, await fetchFrom(base, url, init));
  };
  return {
    name: base.href,
    request: async (path) => request(path),
    canStream: async () => {
      const { status, body } = await request("/v1/changes", "text/event-stream");
      await body?.cancel();
      return status !== NO_STREAMS;
    },
    close: async () => {},
  };
}

const NO_STREAMS = 406;

/** A deployed stage throttles its API: a request that it refused is sent again. */
const fetchOrWait = retryingFetch((url, init) => fetch(url, init));

async function fetchFrom(base: URL, url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetchOrWait(url, { ...init, redirect: "manual" });
  } catch (cause) {
    throw new ApiError(
      `Cannot reach the server at ${base.href}: ${reasonOf(cause)}. ` +
        'Start it with "outlive serve", or correct --server.',
      { cause },
    );
  }
}

/** An Outlive server never redirects. A sign-in page does, and must not get the token. */
function refuseRedirect(base: URL, response: Response): Response {
  const location = response.headers.get("location");
  if (response.status < 300 || response.status >= 400 || location === null) return response;
  throw new ApiError(
    `The server at ${base.href} redirects to ${location}, which an Outlive server never does. ` +
      "Set --server to the address of the API.",
    { status: response.status },
  );
}

function baseOf(server: string): URL {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(server) ? server : `http://${server}`);
  if (url !== null && url.hostname !== "" && /^https?:$/.test(url.protocol)) return url;
  throw new ApiError(`"${server}" is not the URL of a server. Write http://HOST:PORT.`);
}

/** fetch wraps the reason in a TypeError whose message is only "fetch failed". */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof AggregateError) return reasonOf(cause.errors[0]);
  return errorMessage(cause);
}
