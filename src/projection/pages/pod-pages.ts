import { isJobFact, isPodFact, type PodFact } from "../../job/model/fact.ts";
import type { PodUid } from "../../job/model/ids.ts";
import { factsOfPod, joinPodFact, type PodRecord } from "../../job/model/pod-record.ts";
import { bytesOfFacts, factsOfBytes } from "../job-state/fact-bytes.ts";
import { type Edit, PagedSet, type PageLayout, type PageStore, type PageTree } from "./page-tree.ts";
import { compareSortKeys, type SortKey } from "./sort-key.ts";

/** A Pod as an item of its Job's tree of pages. */
export interface PlacedPod {
  readonly place: SortKey;
  readonly pod: PodRecord;
}

/**
 * Pods stand by the time of their creation, so that a segment touches the pages of the Pods that live now and no others;
 * one whose creation was not seen yet stands at 0 and moves when it is.
 */
function placePod(pod: PodRecord): PlacedPod {
  return { place: { at: (pod.created?.createdAt ?? 0) + 0, id: pod.uid }, pod };
}

/** Pods in the order of their places. */
export function sortPods(pods: Iterable<PodRecord>): readonly PlacedPod[] {
  return [...pods].map(placePod).sort((a, b) => compareSortKeys(a.place, b.place));
}

export const podPages: PageLayout<PlacedPod> = {
  encode: (items) => bytesOfFacts(items.flatMap(({ pod }) => factsOfPod(pod))),
  decode: (bytes) => sortPods(podsOf(factsOfBytes(bytes).filter(isJobFact).filter(isPodFact)).values()),
  leafItems: 128,
  marked: true,
};

/** What facts did to one Pod. */
export interface PodChange {
  readonly before: PodRecord | undefined;
  readonly after: PodRecord;
}

/** Joins facts into the Pods of a tree. Reads and writes the pages of the Pods they are about. */
export async function joinIntoPages(
  store: PageStore,
  tree: PageTree,
  facts: readonly PodFact[],
): Promise<{ readonly tree: PageTree; readonly changes: readonly PodChange[] }> {
  const pages = new PagedSet(podPages, store);
  const known = await pages.find(tree, new Set(facts.map(({ podUid }) => podUid)));
  const joined = podsOf(facts, (uid) => known.get(uid)?.pod);
  const changes: PodChange[] = [];
  const edits: Edit<PlacedPod>[] = [];
  for (const after of joined.values()) {
    const before = known.get(after.uid);
    if (before?.pod === after) continue;
    changes.push({ before: before?.pod, after });
    const item = placePod(after);
    edits.push(item);
    const moved = before !== undefined && compareSortKeys(before.place, item.place) !== 0;
    if (moved) edits.push({ place: before.place, remove: true });
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
