import type { MetaPage, MetaRecord, MetaStore } from "../../ports/meta.ts";

/**
 * Caches the records that one answer reads. Many Jobs share a Node or the gaps of their cluster, so these are read
 * once. Use it for one answer only: it does not see later writes.
 */
export function rememberedMeta(meta: MetaStore): MetaStore {
  const records = new Map<string, Promise<MetaRecord | undefined>>();
  const pages = new Map<string, Promise<MetaPage>>();
  return {
    read: (kind, key) => remembered(records, `${kind} ${key}`, () => meta.read(kind, key)),
    write: meta.write.bind(meta),
    list: (kind, options) => remembered(pages, `${kind} ${JSON.stringify(options)}`, () => meta.list(kind, options)),
  };
}

function remembered<Answer>(known: Map<string, Promise<Answer>>, key: string, read: () => Promise<Answer>) {
  const answer = known.get(key) ?? read();
  known.set(key, answer);
  return answer;
}
