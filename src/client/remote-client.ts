import type { Api } from "./api-client.ts";
import { type Asker, requestBy } from "./credentials.ts";
import { CommandFailure } from "../command-line/command-failure.ts";
import { errorMessage } from "../text/error-message.ts";

/** The API of a server at `server`, a URL such as http://127.0.0.1:8080. Requests throw an AwsError where they are to be signed and cannot be. */
export function remoteApi(server: string, asker: Asker): Api {
  const base = baseOf(server);
  return {
    name: base.href,
    request: async (path) => {
      const { url, headers } = await requestBy(asker, new URL(base.pathname.replace(/\/$/, "") + path, base));
      return refuseRedirect(base, await fetchFrom(base, url, headers));
    },
    close: async () => {},
  };
}

async function fetchFrom(base: URL, url: URL, headers: HeadersInit): Promise<Response> {
  try {
    return await fetch(url, { headers, redirect: "manual" });
  } catch (cause) {
    throw new CommandFailure(
      2,
      `The server at ${base.href} cannot be reached (${reasonOf(cause)}): start it with "outlive serve", or correct --server.`,
      { cause },
    );
  }
}

/** An Outlive sends nobody on: whoever does is another server, such as a page to sign in on, and gets no token. */
function refuseRedirect(base: URL, response: Response): Response {
  const to = response.headers.get("location");
  if (response.status < 300 || response.status >= 400 || to === null) return response;
  throw new CommandFailure(
    2,
    `The server at ${base.href} sends on to ${to}, which no Outlive does: give the address that answers as --server.`,
  );
}

function baseOf(server: string): URL {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(server) ? server : `http://${server}`);
  if (url !== null && url.hostname !== "" && /^https?:$/.test(url.protocol)) return url;
  throw new CommandFailure(2, `"${server}" is not the URL of a server: write http://HOST:PORT.`);
}

/** fetch wraps what happened in a TypeError that only says "fetch failed". */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof AggregateError) return reasonOf(cause.errors[0]);
  return errorMessage(cause);
}
