import createFetchClient from "openapi-fetch";
import { retryingFetch } from "./retrying-fetch.js";

/**
 * A typed client of the HTTP API. Plain JavaScript: Node does not strip types in `node_modules`.
 *
 * @type {typeof import("./outlive-client.d.ts").createOutliveClient}
 */
export const createOutliveClient = ({ server, token, apiKey, headers, fetch: fetchOnce = fetch, ...retry }) =>
  createFetchClient({
    baseUrl: server.replace(/\/+$/, ""),
    headers: {
      ...headers,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(apiKey !== undefined && { "x-api-key": apiKey }),
    },
    fetch: retryingFetch(fetchOnce, retry),
    // A server that redirects is no Outlive, and must not get the token.
    redirect: "error",
  });

/** @type {typeof import("./outlive-client.d.ts").itemsOf} */
export async function* itemsOf(getPage) {
  /** @type {string | undefined} */
  let cursor;
  do {
    const { data, error, response } = await getPage(cursor);
    if (data === undefined) throw new OutliveError(response.status, error);
    if (cursor !== undefined && data.nextCursor === cursor) throw new OutliveError(response.status, SAME_PAGE);
    yield* data.items;
    cursor = data.nextCursor;
  } while (cursor !== undefined);
}

/** A cursor that names its own page, for example because it was not sent, would never end. */
const SAME_PAGE = { detail: "The server answered with the same page again. Pass the cursor, and check proxies." };

/** A request that the API refused. */
export class OutliveError extends Error {
  /**
   * @param {number} status
   * @param {{ readonly detail?: string } | undefined} problem
   */
  constructor(status, problem) {
    super(problem?.detail ?? `The server answered ${status}.`);
    this.name = "OutliveError";
    this.status = status;
    this.problem = problem;
  }
}
