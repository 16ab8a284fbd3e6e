import { Option } from "commander";
import { readLogLinks } from "../../src/query/log-links/log-link-file.ts";
import type { LogLinks } from "../../src/query/log-links/log-links.ts";
import { invalidFile, textOfFile } from "./settings-file.ts";

export interface LogLinksFlag {
  readonly logLinks?: string;
}

export function logLinksOption(): Option {
  return new Option("--log-links <file>", "link to the logs of Pods by the templates of this file").env(
    "OUTLIVE_LOG_LINKS",
  );
}

/** Reads the file of log links, if one is named. Throws CommandFailure with every problem and its path. */
export async function logLinksOf({ logLinks: file }: LogLinksFlag): Promise<{ readonly logLinks?: LogLinks }> {
  if (file === undefined) return {};
  const read = readLogLinks(await textOfFile(file, "Check --log-links."));
  if (read.outcome === "read") return { logLinks: read.content };
  throw invalidFile(file, read.problems);
}
