import type { MetaPage, MetaRecord, MetaStore } from "../../ports/meta.ts";

/**
 * The records of one answer: what many Jobs have around them, the cluster's gaps or a Node, is read for the first of them and known for the others. For as long
 * as one answer takes: nothing that is written meanwhile is seen.
 */
export function rememberedMeta(meta: MetaStore): MetaStore {
  const records = new Map<string, Promise<MetaRecord | undefined>>();
  const pages = new Map<string, Promise<MetaPage>>();
  return {
    read: (kind, key) => remembered(records, `${kind} ${key}`, () => meta.read(kind, key)),
    write: (kind, key, value, expected) => meta.write(kind, key, value, expected),
    list: (kind, options) =>
      remembered(pages, `${kind} ${JSON.stringify([options.prefix, options.after, options.limit])}`, () =>
        meta.list(kind, options),
      ),
  };
}

function remembered<Answer>(known: Map<string, Promise<Answer>>, key: string, read: () => Promise<Answer>) {
  const asked = known.get(key) ?? read();
  known.set(key, asked);
  return asked;
}
