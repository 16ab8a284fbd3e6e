import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { storeChecked } from "../../src/adapters/sqlite/backup.ts";
import { isProblem } from "../../src/http/contract/problem.ts";
import { apiError } from "../../src/host/client/api-client.ts";
import { remoteClient } from "../../src/host/client/remote-client.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { type CredentialsOptions, openCredentials } from "../options/credentials-options.ts";

export interface ReceivedBackup {
  readonly server: string;
  readonly credentials: CredentialsOptions;
  /** Where the copy is written to. */
  readonly file: string;
}

const NO_BACKUPS =
  "This server offers no copy of its database. Only `outlive serve` does; a deployment on AWS has backups of its own.";

/** Writes a checked copy of a server's database. Returns the name of the server. */
export async function receiveBackup({ server, credentials, file }: ReceivedBackup): Promise<string> {
  const api = remoteClient(server, await openCredentials(server, credentials));
  const body = await copyOf(await api.request("/v1/backup"));
  const isComplete = await storeChecked(file, (partial) =>
    pipeline(chunksOf(body), createWriteStream(partial, { mode: 0o600 })),
  );
  if (!isComplete) {
    throw new CommandFailure(1, `The database of ${api.name} is damaged. Check it there with "outlive doctor".`);
  }
  return `the database of ${api.name}`;
}

async function copyOf(response: Response): Promise<ReadableStream<Uint8Array>> {
  const { status, body } = response;
  if (response.ok && body !== null) return body;
  if (status === 404) throw new CommandFailure(2, NO_BACKUPS);
  const problem: unknown = await response.json().catch(() => undefined);
  if (isProblem(problem)) throw apiError(problem);
  throw new CommandFailure(2, `The server answered ${status} without a reason. Check that Outlive runs there.`);
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
}
