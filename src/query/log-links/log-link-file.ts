import { type ReadContent, unparsed } from "../../ports/files/file-content.ts";
import { parseYaml } from "../../ports/files/yaml-file.ts";
import { type LogLinks, logLinksIn } from "./log-links.ts";

/** Reads a file of log links (YAML, or JSON). */
export function readLogLinks(text: string): ReadContent<LogLinks> {
  const parsed = parseYaml(text);
  return "problem" in parsed ? unparsed(parsed.problem) : logLinksIn(parsed.value);
}
