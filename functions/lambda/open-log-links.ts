import { type LogLinks, logLinksIn } from "../../src/query/log-links/log-links.ts";
import type { Journal } from "../../src/ports/runtime/journal.ts";
import { parseJson, unparsed } from "../../src/ports/files/file-content.ts";

/**
 * Where Pods' logs can be read, from a file of log links that the deployment wrote as JSON. An invalid one is logged,
 * and answers have no links: it must not keep the API from answering.
 */
export function openLogLinks(text: string | undefined, logger: Journal): { readonly logLinks?: LogLinks } {
  if (text === undefined) return {};
  const parsed = parseJson(text);
  const read = "problem" in parsed ? unparsed(parsed.problem) : logLinksIn(parsed.value);
  if (read.outcome === "read") return { logLinks: read.content };
  logger.error("The log links are invalid: answers have none. Correct the file, and deploy again.", {
    problems: read.problems,
  });
  return {};
}
