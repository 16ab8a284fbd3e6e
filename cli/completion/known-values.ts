import { type ApiClient, getJson, getItems } from "../../src/host/client/api-client.ts";
import type { Query } from "../../src/http/contract/api-paths.ts";
import { remoteClient } from "../../src/host/client/remote-client.ts";
import { readToken } from "../options/token-options.ts";

/** What a shell asks to complete: the words after `outlive`, of which the last one may be unfinished. */
export interface CompletedLine {
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Values for the last word of a line, from the configured server or database file; none if it does not answer. */
export async function knownValues(line: CompletedLine): Promise<readonly string[]> {
  const kind = kindOf(line.words);
  if (kind === undefined) return [];
  try {
    const api = await openApi(line);
    try {
      return await valuesOf(kind, api, line);
    } finally {
      await api.close();
    }
  } catch {
    // An error message would disturb the line that the user is typing.
    return [];
  }
}

type Kind = "clusters" | "namespaces" | "jobs" | "cronjobs";

const OF_OPTION: Readonly<Record<string, Kind>> = {
  "--cluster": "clusters",
  "--namespace": "namespaces",
  "-n": "namespaces",
  "--name": "jobs",
};
const OF_ARGUMENT: Readonly<Record<string, Kind>> = {
  get: "jobs",
  why: "jobs",
  pods: "jobs",
  history: "jobs",
  wait: "jobs",
  cronjobs: "cronjobs",
};

function kindOf(words: readonly string[]): Kind | undefined {
  const [last = "", before = ""] = words.toReversed();
  const [option = ""] = last.split("=");
  if (last.includes("=")) return OF_OPTION[option];
  if (last.startsWith("-")) return undefined;
  return OF_OPTION[before] ?? (before.startsWith("-") ? undefined : OF_ARGUMENT[words[0] ?? ""]);
}

async function openApi(line: CompletedLine): Promise<ApiClient> {
  const server = given(line, ["--server"], "OUTLIVE_SERVER");
  if (server === undefined) {
    const { databaseClient } = await import("../../src/host/embedded/in-process-client.ts");
    return databaseClient(given(line, ["--database"], "OUTLIVE_DATABASE") ?? "outlive.sqlite");
  }
  // A command for a token may ask the user something, and signing loads the SDK: neither belongs in a completion.
  const token = given(line, ["--token"], "OUTLIVE_TOKEN");
  const tokenFile = given(line, ["--token-file"], "OUTLIVE_TOKEN_FILE");
  const read = readToken({ ...(token !== undefined && { token }), ...(tokenFile !== undefined && { tokenFile }) });
  return remoteClient(server, read === undefined ? {} : { token: read });
}

interface KnownCluster {
  readonly name: string;
  readonly namespaces: readonly string[];
}

async function valuesOf(kind: Kind, api: ApiClient, line: CompletedLine): Promise<readonly string[]> {
  const cluster = given(line, ["--cluster"], "OUTLIVE_CLUSTER");
  const isEverywhere = line.words.some((word) => word === "-A" || word === "--all-namespaces");
  const namespace = isEverywhere ? undefined : (given(line, ["-n", "--namespace"], "OUTLIVE_NAMESPACE") ?? "default");
  switch (kind) {
    case "clusters":
      return (await clustersOf(api)).map(({ name }) => name);
    case "namespaces":
      return unique(
        (await clustersOf(api))
          .filter(({ name }) => cluster === undefined || name === cluster)
          .flatMap(({ namespaces }) => namespaces),
      );
    case "jobs":
      return inForm(await namesOf(api, "/v1/jobs", { cluster, namespace }), line);
    case "cronjobs":
      return namesOf(api, "/v1/cronjobs", { cluster, namespace });
  }
}

async function clustersOf(api: ApiClient): Promise<readonly KnownCluster[]> {
  return (await getJson<{ readonly items: readonly KnownCluster[] }>(api, "/v1/clusters")).items;
}

/** The newest names: one page, so that the shell does not wait. */
async function namesOf(api: ApiClient, path: string, query: Query): Promise<readonly string[]> {
  const { items } = await getItems<{ readonly name: string }>(api, path, { ...query, limit: MOST_NAMES });
  return unique(items.map(({ name }) => name));
}
const MOST_NAMES = 200;

/** `job/NAME` where the user began so. */
function inForm(names: readonly string[], { words }: CompletedLine): readonly string[] {
  const [prefix] = /^jobs?\//.exec(words.at(-1) ?? "") ?? [];
  return prefix === undefined ? names : names.map((name) => `${prefix}${name}`);
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}

/** The value of an option on the line, else of its variable. The last word is not complete yet. */
function given({ words, environment }: CompletedLine, flags: readonly string[], variable: string): string | undefined {
  const finished = words.slice(0, -1);
  const at = finished.findLastIndex((word) => flags.includes(word.split("=")[0] ?? ""));
  const word = finished[at];
  const value =
    word?.includes("=") === true ? word.slice(word.indexOf("=") + 1) : at < 0 ? undefined : finished[at + 1];
  return value ?? environment[variable];
}
