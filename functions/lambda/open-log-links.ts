import { type LogLinks, readLogLinks } from "../../src/query/log-links/log-link-file.ts";
import type { Journal } from "../../src/runtime/journal.ts";

/**
 * Where Pods' logs can be read, from the content of a file of log links. An invalid one is logged, and answers have no
 * links: it must not keep the API from answering.
 */
export function openLogLinks(text: string | undefined, logger: Journal): { readonly logLinks?: LogLinks } {
  if (text === undefined) return {};
  const read = readLogLinks(text);
  if (read.outcome === "read") return { logLinks: read.content };
  logger.error("The log links are invalid: answers have none. Correct the file, and deploy again.", {
    problems: read.problems,
  });
  return {};
}
