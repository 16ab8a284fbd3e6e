import type { ApiClient } from "../../src/client/api-client.ts";
import { IncompleteAnswers } from "./incomplete-answers.ts";
import { openCredentials } from "../options/credentials-options.ts";
import { type LogLinksFlag, logLinksOf } from "../options/log-links-option.ts";
import type { SourceOptions } from "../options/query-options.ts";
import { remark } from "../output/print-answer.ts";
import { remoteClient } from "../../src/client/remote-client.ts";

/**
 * Opens a client of the server if one is named, else of the database file, and closes it after use. Throws a
 * CommandFailure with status 3 if an answer lacked the Jobs of a cell.
 */
export async function withClient<Result>(
  options: SourceOptions & LogLinksFlag,
  use: (api: ApiClient) => Promise<Result>,
): Promise<Result> {
  const api = await openClient(options);
  const incomplete = new IncompleteAnswers(remark);
  try {
    const result = await use(incomplete.watch(api));
    incomplete.requireComplete();
    return result;
  } finally {
    await api.close();
  }
}

async function openClient(options: SourceOptions & LogLinksFlag): Promise<ApiClient> {
  const { server, database, archive, logLinks, ...credentials } = options;
  if (server !== undefined) return remoteClient(server, await openCredentials(server, credentials));
  const { databaseClient } = await import("../../src/embedded/in-process-client.ts");
  const links = await logLinksOf({ ...(logLinks !== undefined && { logLinks }) });
  if (archive === undefined) return databaseClient(database, links);
  const { openExistingArchive } = await import("../archive/open-archive.ts");
  return databaseClient(database, { ...links, archive: await openExistingArchive({ archive }) });
}
