import type { MetaKind, MetaRecord, MetaStore } from "./meta.ts";

const PAGE = 500;

/** All records of a kind whose keys begin with `prefix` and follow `after`, in order of key. Reads page by page. */
export async function* listRecords(
  meta: MetaStore,
  kind: MetaKind,
  { prefix, after }: { readonly prefix: string; readonly after?: string | undefined },
): AsyncGenerator<MetaRecord> {
  let last = after;
  do {
    const page = await meta.list(kind, { prefix, limit: PAGE, ...(last !== undefined && { after: last }) });
    yield* page.records;
    last = page.next;
  } while (last !== undefined);
}
