import type { ApiClient } from "../../src/host/client/api-client.ts";
import { printWarnings } from "./print-warnings.ts";
import { openCredentials } from "../options/credentials-options.ts";
import { type LogLinksFlag, logLinksOf } from "../options/log-links-option.ts";
import type { SourceOptions } from "../options/query-options.ts";
import { remark } from "../output/print-answer.ts";
import { remoteClient } from "../../src/host/client/remote-client.ts";

/**
 * Opens a client of the server if one is named, else of the database file, and closes it after use.
 */
export async function withClient<Result>(
  options: SourceOptions & LogLinksFlag,
  use: (api: ApiClient) => Promise<Result>,
): Promise<Result> {
  const api = await openClient(options);
  try {
    return await use(printWarnings(api, remark));
  } finally {
    await api.close();
  }
}

async function openClient(options: SourceOptions & LogLinksFlag): Promise<ApiClient> {
  const { server, database, archive, logLinks, ...credentials } = options;
  if (server !== undefined) return remoteClient(server, await openCredentials(server, credentials));
  const { databaseClient } = await import("../../src/host/embedded/in-process-client.ts");
  const links = await logLinksOf({ ...(logLinks !== undefined && { logLinks }) });
  if (archive === undefined) return databaseClient(database, links);
  const { openExistingArchive } = await import("../archive/open-archive.ts");
  return databaseClient(database, { ...links, archive: await openExistingArchive({ archive }) });
}
