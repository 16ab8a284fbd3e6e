import { AsyncLocalStorage } from "node:async_hooks";
import type { ApiClient } from "../client/api-client.ts";
import type { ApiStores } from "../../http/create-api.ts";
import { serverApi } from "../server/server-api.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import { requireDatabase } from "./database-file.ts";
import { type EmbeddedOptions, openEmbedded } from "./embedded-tracker.ts";

export interface DatabaseClientOptions extends EmbeddedOptions {
  /** The archive of the database. */
  readonly archive?: ObjectStore;
}

/** The API over an existing database file, and over its archive if it is given, in this process. */
export function databaseClient(database: string, { archive, ...options }: DatabaseClientOptions = {}): ApiClient {
  requireDatabase(database);
  const embedded = openEmbedded(database, options);
  const stores = { ...embedded, ...(archive && { archive }) };
  return { ...inProcessClient(stores, database), close: async () => embedded.close() };
}

/**
 * A client of the API in this process, over the routes that a server has. A request whose handler throws rejects with
 * the handler's error instead of status 500. `name` stands for the server in error messages.
 */
export function inProcessClient(stores: ApiStores, name: string): ApiClient {
  /** Concurrent requests must not receive each other's errors. */
  const current = new AsyncLocalStorage<{ failure?: Error }>();
  const app = serverApi({
    stores,
    access: { kind: "inProcess" },
    onError: (error) => {
      const request = current.getStore();
      if (request !== undefined) request.failure = error;
    },
  });
  return {
    name,
    request: async (path) => {
      const request: { failure?: Error } = {};
      const response = await current.run(request, async () => app.request(path));
      if (request.failure !== undefined) throw request.failure;
      return response;
    },
    close: async () => {},
  };
}
