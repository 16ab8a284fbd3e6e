import type { Cell } from "../ports/records/cell-registry-record.ts";
import { errorMessage } from "../text/error-message.ts";

/** A `GET` request to a cell's API, in the name of the reader. */
export interface CellRequest {
  /** Path and query, beginning with `/`. */
  readonly target: string;
  readonly headers: Headers;
  /** How long the cell may take. */
  readonly timeoutMillis: number;
}

export type CellReply =
  | { readonly outcome: "replied"; readonly response: Response }
  | { readonly outcome: "unavailable"; readonly reason: string };

/** Sends a request to a cell. An outage of the cell is a reply, not an error. */
export type AskCell = (cell: Cell, request: CellRequest) => Promise<CellReply>;

/** Answers for the stage itself, in this process. */
export type AskSelf = (target: string, headers: Headers) => Promise<Response>;

export interface CellConnections {
  readonly fetch: typeof fetch;
  readonly now: () => number;
}

/** A cell that did not reply is not asked again for so long, so that an outage delays few answers. */
const REST_MILLIS = 10_000;

/** Marks requests of an API over cells. The API that gets one answers for its own stage only: no request goes round. */
export const VIA_HEADER = "x-outlive-via-cells";

/** Asks cells over HTTP, and the stage itself in this process. Remembers which cells did not reply. */
export function cellAsker({ fetch: send, now }: CellConnections): (self: AskSelf) => AskCell {
  const silentSince = new Map<string, number>();
  return (self) =>
    async (cell, { target, headers, timeoutMillis }) => {
      if (cell.url === undefined) return { outcome: "replied", response: await self(target, headers) };
      const since = silentSince.get(cell.url);
      if (since !== undefined && now() - since < REST_MILLIS) {
        return { outcome: "unavailable", reason: `It did not reply ${Math.ceil((now() - since) / 1_000)} s ago.` };
      }
      const via = new Headers(headers);
      via.set(VIA_HEADER, "1");
      try {
        const signal = AbortSignal.timeout(timeoutMillis);
        const url = `${cell.url.replace(/\/$/, "")}${target}`;
        const response = await send(url, { headers: via, redirect: "manual", signal });
        silentSince.delete(cell.url);
        return repliedWith(response);
      } catch (cause) {
        silentSince.set(cell.url, now());
        return { outcome: "unavailable", reason: reasonOf(cause, timeoutMillis) };
      }
    };
}

function repliedWith(response: Response): CellReply {
  const { status } = response;
  // Readers' tokens must not follow a redirect. Outlive never sends one.
  if (status >= 300 && status < 400) return { outcome: "unavailable", reason: `It redirects (${status}).` };
  return { outcome: "replied", response };
}

/** fetch throws a DOMException for a timeout, and a TypeError with a cause for a connection that failed. */
function reasonOf(thrown: unknown, timeoutMillis: number): string {
  if (thrown instanceof DOMException && thrown.name === "TimeoutError") {
    return `It did not reply within ${timeoutMillis / 1_000} s.`;
  }
  const cause = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
  return `It cannot be reached (${errorMessage(cause)}).`;
}
