import { decodeResourceVersion, type ResourceVersion } from "../../job/model/order.ts";
import type { Chunk } from "../connection/api-reader.ts";
import { fieldsOf, isObject, type JsonObject, textOf } from "../json/json-field.ts";
import { MAX_OBJECT_BYTES } from "../json/max-object-bytes.ts";
import { ObjectScanner } from "../json/object-scanner.ts";

/** A part of a list page: some of its items, or at the end its metadata. */
export type ListPart = ListItems | ListEnd;

export interface ListItems {
  readonly items: readonly JsonObject[];
  /** The problems with unreadable items, as sentences. */
  readonly problems: readonly string[];
}

export interface ListEnd {
  readonly resourceVersion: ResourceVersion;
  /** `metadata.continue`, where there are more pages. */
  readonly token: string | undefined;
}

/** The list was truncated or invalid. */
export class CutListError extends Error {
  override readonly name = "CutListError";
}

/** Reads a list page item by item as it arrives. A page of 500 Pods can have 500 MB, so it is never held in memory. */
export async function* readListPage(chunks: AsyncIterable<Chunk>): AsyncGenerator<ListPart> {
  let items: JsonObject[] = [];
  let problems: string[] = [];
  const ends: JsonObject[] = [];
  const scanner = new ObjectScanner(
    MAX_OBJECT_BYTES,
    (found) => {
      if ("problem" in found) problems.push(found.problem);
      else if (isObject(found.event)) (isEmptyList(found.event) ? ends : items).push(found.event);
    },
    (list) => ends.push(list),
  );
  for await (const { bytes } of chunks) {
    scanner.feed(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), 1);
    if (items.length === 0 && problems.length === 0) continue;
    yield { items, problems };
    items = [];
    problems = [];
  }
  yield endOf(ends[0]);
}

const NO_VERSION =
  "A list of the API server is truncated, or has no resourceVersion. It is listed again. If this persists, check " +
  "proxies between here and the API server.";

/** A metadata-only list without items contains `"items": null` (observed with 1.36). */
function isEmptyList(object: JsonObject): boolean {
  return object["items"] === null;
}

function endOf(list: JsonObject | undefined): ListEnd {
  const metadata = fieldsOf(list?.["metadata"]);
  const resourceVersion = decodeResourceVersion(metadata["resourceVersion"]);
  if (resourceVersion === undefined) throw new CutListError(NO_VERSION);
  return { resourceVersion, token: textOf(metadata["continue"]) };
}
