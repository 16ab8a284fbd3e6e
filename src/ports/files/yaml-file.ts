import type * as v from "valibot";
import { parseDocument } from "yaml";
import { checkContent, type ParsedFile, type ReadContent, unparsed } from "./file-content.ts";

const MAX_CHARACTERS = 10_000_000;
/** The most aliases of a YAML document. More are an attack rather than a convenience. */
const MAX_ALIASES = 100;

/** Reads a file of settings (YAML, or JSON) by its schema. */
export function readYaml<Content>(text: string, schema: v.GenericSchema<unknown, Content>): ReadContent<Content> {
  const parsed = parseYaml(text);
  return "problem" in parsed ? unparsed(parsed.problem) : checkContent(parsed.value, schema);
}

/** Parses a file of settings (YAML, or JSON). */
export function parseYaml(text: string): ParsedFile {
  if (text.length > MAX_CHARACTERS) return { problem: "The file is larger than 10 MB." };
  try {
    const document = parseDocument(text, { prettyErrors: true });
    const [error] = document.errors;
    if (error !== undefined) return { problem: `Invalid YAML: ${firstLine(error.message)}.` };
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) };
  } catch (cause) {
    if (cause instanceof ReferenceError || cause instanceof RangeError) {
      return { problem: `Invalid YAML: ${cause.message}` };
    }
    throw cause;
  }
}

/** The library appends the position and the text after a colon and a line break. Both are removed. */
function firstLine(message: string): string {
  return message.split("\n", 1).join("").replace(/[.:]$/, "");
}
