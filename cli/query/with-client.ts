import type { ApiClient } from "../../src/client/api-client.ts";
import { openCredentials } from "../options/credentials-options.ts";
import type { SourceOptions } from "../options/query-options.ts";
import { remoteClient } from "../../src/client/remote-client.ts";

/** Opens a client of the server if one is named, else of the database file, and closes it after use. */
export async function withClient<Result>(
  options: SourceOptions,
  use: (api: ApiClient) => Promise<Result>,
): Promise<Result> {
  const api = await openClient(options);
  try {
    return await use(api);
  } finally {
    await api.close();
  }
}

async function openClient({ server, database, ...credentials }: SourceOptions): Promise<ApiClient> {
  if (server !== undefined) return remoteClient(server, await openCredentials(server, credentials));
  const { databaseClient } = await import("../../src/embedded/in-process-client.ts");
  return databaseClient(database);
}
