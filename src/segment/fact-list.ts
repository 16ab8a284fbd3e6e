import type { Fact } from "../job/model/fact.ts";
import { isList } from "./check.ts";
import { Damaged } from "./damaged.ts";
import { type DeflateCodec, unwrap, wrap } from "./envelope.ts";
import { readFactList, writeFactList } from "./fact-list-v1.ts";
import { damaged, newer, type Rejected } from "./rejected.ts";

/**
 * The newest schema that this build reads. It reads all earlier ones, too. Schema 5 is a segment from which facts were
 * erased.
 */
export const NEWEST_SCHEMA = 11;

/**
 * Encodes a set of facts, for example the record of a Job in its state item.
 * Equal sets have equal texts, whatever their order.
 */
export function encodeFacts(facts: Iterable<Fact>, codec?: DeflateCodec): Uint8Array {
  const { text, schema } = writeFactList(facts);
  return wrap(`[${schema},${text}]`, codec).bytes;
}

export type DecodedFacts = { readonly outcome: "decoded"; readonly facts: readonly Fact[] } | Rejected;

/** The inverse of {@link encodeFacts}, in canonical order. Never throws. */
export function decodeFacts(bytes: Uint8Array): DecodedFacts {
  const unwrapped = unwrap(bytes);
  if (unwrapped.outcome === "rejected") return unwrapped;
  return readVersioned(unwrapped.text, ([list]) => ({ outcome: "decoded", facts: readFactList(list) }));
}

/** Reads JSON whose first item is the schema version. `read` gets the items after it and may throw {@link Damaged}. */
export function readVersioned<Read>(
  text: string,
  read: (parts: readonly unknown[], version: number) => Read,
): Read | Rejected {
  try {
    const parsed: unknown = JSON.parse(text);
    if (!isList(parsed)) return damaged("The text is not an array.");
    const [version, ...parts] = parsed;
    if (typeof version !== "number") return damaged("The text does not start with a schema version.");
    if (version > NEWEST_SCHEMA) {
      return newer(
        `The facts are in schema ${version}; this build of Outlive reads up to ${NEWEST_SCHEMA}. Update it.`,
      );
    }
    return Number.isInteger(version) && version >= 1
      ? read(parts, version)
      : damaged("The text does not start with a schema version.");
  } catch (cause) {
    if (cause instanceof SyntaxError) return damaged(`The text is not JSON: ${cause.message}.`);
    if (cause instanceof Damaged) return damaged(cause.message);
    throw cause;
  }
}
