import type { MetaKind, MetaRecord, MetaStore } from "./meta.ts";

const PAGE = 500;

/** All records of a kind whose keys begin with `prefix`, page by page, in order of key; those after `from` where given. */
export async function* listRecords(
  meta: MetaStore,
  kind: MetaKind,
  prefix: string,
  from?: string,
): AsyncGenerator<MetaRecord> {
  let after = from;
  do {
    const page = await meta.list(kind, { prefix, limit: PAGE, ...(after !== undefined && { after }) });
    yield* page.records;
    after = page.next;
  } while (after !== undefined);
}
