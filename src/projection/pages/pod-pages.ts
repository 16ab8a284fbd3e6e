import { isJobFact, isPodFact, type PodFact } from "../../job/model/fact.ts";
import type { PodUid } from "../../job/model/ids.ts";
import { factsOfPod, joinPodFact, type PodRecord } from "../../job/model/pod-record.ts";
import { factsOfBytes, pageOfFacts } from "../job-state/fact-bytes.ts";
import { type Edit, PagedSet, type PageLayout, type PageStore, type PageTree } from "./page-tree.ts";
import { compareSortKeys, type SortKey } from "./sort-key.ts";

/** A Pod with its sort key in its Job's tree of pages. */
export interface KeyedPod {
  readonly sortKey: SortKey;
  readonly pod: PodRecord;
}

/**
 * Pods are sorted by creation, so that a segment changes only the pages of Pods that are alive. A Pod whose creation is
 * unknown sorts at 0, and moves when it becomes known.
 */
function keyedPod(pod: PodRecord): KeyedPod {
  return { sortKey: { at: (pod.created?.createdAt ?? 0) + 0, id: pod.uid }, pod };
}

/** Sorts Pods by creation and uid. */
export function sortPods(pods: Iterable<PodRecord>): readonly KeyedPod[] {
  return [...pods].map(keyedPod).sort((a, b) => compareSortKeys(a.sortKey, b.sortKey));
}

export const podPages: PageLayout<KeyedPod> = {
  encode: (items) => pageOfFacts(items.flatMap(({ pod }) => factsOfPod(pod))),
  decode: (bytes) => sortPods(podsOf(factsOfBytes(bytes).filter(isJobFact).filter(isPodFact)).values()),
  leafItems: 128,
  marked: true,
};

/** One Pod before and after joining facts. */
export interface PodChange {
  readonly before: PodRecord | undefined;
  readonly after: PodRecord;
}

/** Joins facts into the Pods of a tree. Reads and writes only the pages of these Pods. */
export async function joinIntoPages(
  store: PageStore,
  tree: PageTree,
  facts: readonly PodFact[],
): Promise<{ readonly tree: PageTree; readonly changes: readonly PodChange[] }> {
  const pages = new PagedSet(podPages, store);
  const known = await pages.find(tree, new Set(facts.map(({ podUid }) => podUid)));
  const joined = podsOf(facts, (uid) => known.get(uid)?.pod);
  const changes: PodChange[] = [];
  const edits: Edit<KeyedPod>[] = [];
  for (const after of joined.values()) {
    const before = known.get(after.uid);
    if (before?.pod === after) continue;
    changes.push({ before: before?.pod, after });
    const item = keyedPod(after);
    edits.push(item);
    const moved = before !== undefined && compareSortKeys(before.sortKey, item.sortKey) !== 0;
    if (moved) edits.push({ sortKey: before.sortKey, remove: true });
  }
  return { tree: await pages.edit(tree, edits), changes };
}

function podsOf(
  facts: readonly PodFact[],
  knownPod: (uid: PodUid) => PodRecord | undefined = () => undefined,
): ReadonlyMap<PodUid, PodRecord> {
  const pods = new Map<PodUid, PodRecord>();
  for (const fact of facts) {
    const uid = fact.podUid;
    pods.set(uid, joinPodFact(pods.get(uid) ?? knownPod(uid) ?? { uid }, fact));
  }
  return pods;
}
