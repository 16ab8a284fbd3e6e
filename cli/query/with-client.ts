import type { ApiClient } from "../../src/client/api-client.ts";
import { openCredentials } from "../options/credentials-options.ts";
import type { SourceOptions } from "../options/query-options.ts";
import { remoteClient } from "../../src/client/remote-client.ts";

/** Asks one source and lets go of it: the server where one is named, else the database file. */
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

async function openClient({ server, database, ...asker }: SourceOptions): Promise<ApiClient> {
  if (server !== undefined) return remoteClient(server, await openCredentials(server, asker));
  const { databaseClient } = await import("../../src/embedded/in-process-client.ts");
  return databaseClient(database);
}
