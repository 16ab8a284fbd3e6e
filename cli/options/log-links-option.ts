import { readFile } from "node:fs/promises";
import { Option } from "commander";
import { CommandFailure } from "../../src/command-line/command-failure.ts";
import { type LogLinks, readLogLinks } from "../../src/query/log-links/log-link-file.ts";
import { errorMessage } from "../../src/text/error-message.ts";
import { count } from "../../src/text/sentence.ts";
import { remark } from "../output/print-answer.ts";

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
  const read = readLogLinks(await textOf(file));
  if (read.outcome === "read") return { logLinks: read.content };
  for (const { path, message } of read.problems) remark(path === "" ? message : `${path}: ${message}`);
  throw new CommandFailure(2, `${file} is invalid: ${count(read.problems.length, "problem")}.`);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new CommandFailure(2, `Cannot read ${file}: ${errorMessage(cause)}. Check --log-links.`, { cause });
  }
}
