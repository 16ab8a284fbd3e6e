import type { Api } from "./api.ts";
import { openAsker } from "./asker-options.ts";
import type { SourceOptions } from "./question-options.ts";
import { remoteApi } from "./remote-api.ts";

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
  const { localApi } = await import("./local-api.ts");
  return localApi(database);
}
