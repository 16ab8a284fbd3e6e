import type { Api } from "../../src/client/api-client.ts";
import { openAsker } from "../options/credentials-options.ts";
import type { SourceOptions } from "../options/query-options.ts";
import { remoteApi } from "../../src/client/remote-client.ts";

/** Asks one source and lets go of it: the server where one is named, else the database file. */
export async function withApi<Result>(options: SourceOptions, use: (api: Api) => Promise<Result>): Promise<Result> {
  const api = await openApi(options);
  try {
    return await use(api);
  } finally {
    await api.close();
  }
}

async function openApi({ server, database, ...asker }: SourceOptions): Promise<Api> {
  if (server !== undefined) return remoteApi(server, await openAsker(server, asker));
  const { localApi } = await import("../../src/embedded/in-process-client.ts");
  return localApi(database);
}
