import type { Hono } from "hono";
import manifest from "../../package.json" with { type: "json" };
import type { Access } from "../http/access/access.ts";
import { type ApiStores, createApi } from "../http/create-api.ts";
import type { OpenStreams } from "../http/streams/open-streams.ts";
import type { Api } from "../client/api-client.ts";
import { requireDatabase } from "./database-file.ts";
import { openEmbedded } from "./embedded-tracker.ts";

/** The API over a database file that exists, within this process. */
export function localApi(database: string): Api {
  requireDatabase(database);
  const embedded = openEmbedded(database);
  return { ...inProcessClient(embedded, database), close: async () => embedded.close() };
}

/** Questions within this process, to the same routes that a server has. What breaks there breaks here, with its own words. */
export function inProcessClient(stores: ApiStores, name: string): Api {
  let broken: Error | undefined;
  const app = apiOver(stores, { kind: "inProcess" }, (error) => {
    broken = error;
  });
  return {
    name,
    request: async (path) => {
      const response = await app.request(path);
      if (broken !== undefined) throw broken;
      return response;
    },
    close: async () => {},
  };
}

/** With `streams` the API may keep connections open; who closes the server ends them. */
export function apiOver(
  stores: ApiStores,
  access: Access,
  onError: (error: Error) => void,
  streams?: OpenStreams,
): Hono {
  return createApi({ stores, access, now: Date.now, version: manifest.version, onError, ...(streams && { streams }) });
}
