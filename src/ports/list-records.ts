import type { MetaKind, MetaRange, MetaRecord, MetaStore } from "./meta.ts";

const PAGE = 500;

export interface RecordRange extends Pick<MetaRange, "prefix" | "isEventual"> {
  readonly after?: string | undefined;
}

/** All records of a kind whose keys begin with `prefix` and sort after `after`, in order of key. Reads page by page. */
export async function* listRecords(
  meta: MetaStore,
  kind: MetaKind,
  { prefix, after, isEventual = false }: RecordRange,
): AsyncGenerator<MetaRecord> {
  let last = after;
  do {
    const page = await meta.list(kind, { prefix, limit: PAGE, isEventual, ...(last !== undefined && { after: last }) });
    yield* page.records;
    last = page.next;
  } while (last !== undefined);
}
