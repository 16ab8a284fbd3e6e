import type { Fact } from "../job/model/fact.ts";
import { isList } from "./check.ts";
import { Damaged } from "./damaged.ts";
import { unwrap, wrap } from "./envelope.ts";
import { readFactList, writeFactList } from "./fact-list-v1.ts";
import { damaged, newer, type Rejected } from "./rejected.ts";

/**
 * The newest schema that this build reads. It reads all earlier ones, too. Schema 2 adds details of messages to facts.
 * Facts without such details are written in schema 1, so that earlier builds can read them.
 */
const SCHEMA_VERSION = 2;
const SCHEMA_WITHOUT_DETAILS = 1;

/**
 * Encodes a set of facts, for example the record of a Job in its state item.
 * Equal sets have equal texts, whatever their order.
 */
export function encodeFacts(facts: Iterable<Fact>): Uint8Array {
  const { text, hasDetails } = writeFactList(facts);
  return wrap(`[${schemaOf(hasDetails)},${text}]`).bytes;
}

/** The oldest schema that can express the facts: equal facts give equal bytes, whichever build writes them. */
export function schemaOf(hasDetails: boolean): number {
  return hasDetails ? SCHEMA_VERSION : SCHEMA_WITHOUT_DETAILS;
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
    if (typeof version === "number" && version > SCHEMA_VERSION) {
      return newer(
        `The facts are in schema ${version}; this build of Outlive reads up to ${SCHEMA_VERSION}. Update it.`,
      );
    }
    return version === SCHEMA_VERSION || version === SCHEMA_WITHOUT_DETAILS
      ? read(parts, version)
      : damaged("The text does not start with a schema version.");
  } catch (cause) {
    if (cause instanceof SyntaxError) return damaged(`The text is not JSON: ${cause.message}.`);
    if (cause instanceof Damaged) return damaged(cause.message);
    throw cause;
  }
}
