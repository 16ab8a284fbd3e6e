import * as v from "valibot";
import { canonical } from "../../job/model/canonical.ts";

export type DecodedDocument<Document> =
  | { readonly outcome: "decoded"; readonly document: Document }
  /** `reason` names the first wrong field. */
  | { readonly outcome: "rejected"; readonly reason: string };

/** The bytes of a JSON document of the archive: canonical, so that the same content has the same hash. UTF-8. */
export function encodeDocument(document: object): Uint8Array {
  return Buffer.from(`${canonical(document)}\n`);
}

export function decodeDocument<Document>(
  schema: v.GenericSchema<unknown, Document>,
  bytes: Uint8Array,
): DecodedDocument<Document> {
  const read = v.safeParse(schema, parsed(bytes), { abortEarly: true });
  if (read.success) return { outcome: "decoded", document: read.output };
  const [issue] = read.issues;
  return { outcome: "rejected", reason: `${v.getDotPath(issue) ?? "The document"}: ${issue.message}` };
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
