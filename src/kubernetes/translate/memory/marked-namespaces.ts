import {
  type Fact,
  isNamespaceFact,
  type NamespaceDeleted,
  type NamespaceFact,
  type Stamp,
} from "../../../job/model/fact.ts";

/** The most namespaces in a position: some 5 KB (docs/capture.md). */
const MAX_KEPT = 64;

/**
 * The namespaces that have labels or annotations for Outlive. Facts are about these only: of another one, what it had
 * before is revoked once.
 */
export class MarkedNamespaces {
  /** Names by uid. */
  readonly #names = new Map<string, string>();
  /** What was last stated of each, by uid: controllers also write what is not for Outlive. */
  readonly #stated = new Map<string, string>();

  /** `kept`: what an earlier capture remembered. */
  constructor(kept: Readonly<Record<string, string>> = {}) {
    for (const [uid, name] of Object.entries(kept)) this.#names.set(uid, name);
  }

  /** What a later capture has to remember, by uid: names, of at most {@link MAX_KEPT} namespaces. */
  get kept(): Readonly<Record<string, string>> | undefined {
    return this.#names.size === 0 ? undefined : Object.fromEntries([...this.#names].slice(0, MAX_KEPT));
  }

  /**
   * The facts of one observation; none if they repeat the last ones of their namespace, or if it neither has nor had
   * such a key.
   */
  statedOf(facts: readonly Fact[]): readonly Fact[] {
    const about = facts.filter(isNamespaceFact);
    const [first] = about;
    if (first === undefined) return facts;
    const stated = JSON.stringify(about.map((fact) => [fact.kind, fact.kind === "NamespaceObserved" && fact.marks]));
    if (this.#stated.get(first.namespaceUid) === stated) return [];
    this.#stated.delete(first.namespaceUid);
    if (about.some(isMarked)) this.#stated.set(first.namespaceUid, stated);
    const wasMarked = this.#names.has(first.namespaceUid);
    this.#names.delete(first.namespaceUid);
    this.remember(about);
    return wasMarked || about.some(isMarked) ? facts : [];
  }

  /** Adds the namespaces that have such keys, and forgets those that were deleted. */
  remember(facts: readonly Fact[]): void {
    for (const fact of facts.filter(isNamespaceFact)) {
      if (fact.kind === "NamespaceDeleted") this.#forget(fact.namespaceUid);
      else if (isMarked(fact)) this.#names.set(fact.namespaceUid, fact.namespace);
    }
  }

  /** Facts that those which are not in `listed` are gone, with this stamp. Forgets them. */
  missing(listed: ReadonlySet<string>, stamp: Stamp): readonly NamespaceDeleted[] {
    const missing = [...this.#names].filter(([uid]) => !listed.has(uid));
    for (const [uid] of missing) this.#forget(uid);
    return missing.map(([namespaceUid, namespace]) => ({
      ...stamp,
      kind: "NamespaceDeleted",
      namespace,
      namespaceUid,
    }));
  }

  #forget(uid: string): void {
    this.#names.delete(uid);
    this.#stated.delete(uid);
  }
}

function isMarked(fact: NamespaceFact): boolean {
  return fact.kind === "NamespaceObserved" && fact.marks !== undefined;
}
