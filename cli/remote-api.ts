import type { Api } from "./api.ts";
import { type Asker, requestBy } from "./asker.ts";
import { CommandFailure } from "./failure.ts";

/** The API of a server at `server`, a URL such as http://127.0.0.1:8080. Requests throw an AwsError where they are to be signed and cannot be. */
export function remoteApi(server: string, asker: Asker): Api {
  const base = baseOf(server);
  return {
    name: base.href,
    request: async (path) => {
      const { url, headers } = await requestBy(asker, new URL(base.pathname.replace(/\/$/, "") + path, base));
      try {
        return await fetch(url, { headers });
      } catch (cause) {
        throw new CommandFailure(
          2,
          `The server at ${base.href} cannot be reached (${reasonOf(cause)}): start it with "outlive serve", or correct --server.`,
          { cause },
        );
      }
    },
    close: async () => {},
  };
}

function baseOf(server: string): URL {
  const url = URL.parse(/^https?:\/\//i.test(server) ? server : `http://${server}`);
  if (url !== null && url.hostname !== "") return url;
  throw new CommandFailure(2, `"${server}" is not the URL of a server: write http://HOST:PORT.`);
}

/** fetch wraps what happened in a TypeError that only says "fetch failed". */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof AggregateError) return reasonOf(cause.errors[0]);
  return cause instanceof Error ? cause.message : String(cause);
}
