import type { PageOwner, StateStore } from "../../ports/jobs.ts";
import type { PageStore } from "./page-tree.ts";

/** The pages of one Job in a projection. */
export function pagesOf(jobs: StateStore, key: PageOwner): PageStore {
  return { read: (hash) => jobs.readPage(key, hash), write: (hash, bytes) => jobs.writePage(key, hash, bytes) };
}
