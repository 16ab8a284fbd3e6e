import {
  type Fact,
  isNamespaceFact,
  type NamespaceDeleted,
  type NamespaceFact,
  type Stamp,
} from "../../../job/model/fact.ts";

/** The most namespaces in a position: some 5 KB (docs/capture.md). */
const MAX_KEPT = 64;

interface MarkedNamespace {
  readonly name: string;
  /** The last facts about it. Absent if only an earlier capture recorded them. */
  readonly stated?: string;
}

/**
 * The namespaces that have labels or annotations for Outlive. The exporter records facts about these only. A namespace
 * that loses its last key has one more fact, without keys.
 */
export class MarkedNamespaces {
  /** By uid. */
  readonly #known = new Map<string, MarkedNamespace>();

  /** `kept`: what an earlier capture remembered. */
  constructor(kept: Readonly<Record<string, string>> = {}) {
    for (const [uid, name] of Object.entries(kept)) this.#known.set(uid, { name });
  }

  /** What a later capture has to remember: the names of at most {@link MAX_KEPT} namespaces by uid. */
  get kept(): Readonly<Record<string, string>> | undefined {
    if (this.#known.size === 0) return undefined;
    return Object.fromEntries([...this.#known].slice(0, MAX_KEPT).map(([uid, { name }]) => [uid, name]));
  }

  /**
   * The facts of one observation; none if they repeat the last ones of their namespace, or if it neither has nor had
   * such a key. Controllers also write what is not for Outlive.
   */
  statedOf(facts: readonly Fact[]): readonly Fact[] {
    const about = facts.filter(isNamespaceFact);
    const [first] = about;
    if (first === undefined) return facts;
    const { namespaceUid: uid, namespace: name } = first;
    const known = this.#known.get(uid);
    const stated = JSON.stringify(about.map((fact) => [fact.kind, fact.kind === "NamespaceObserved" && fact.marks]));
    if (known?.stated === stated) return [];
    const isDeleted = about.some(({ kind }) => kind === "NamespaceDeleted");
    if (isDeleted || !about.some(isMarked)) this.#known.delete(uid);
    else this.#known.set(uid, { name, stated });
    return known !== undefined || about.some(isMarked) ? facts : [];
  }

  /** Facts that those which are not in `listed` are gone, with this stamp. Forgets them. */
  missing(listed: ReadonlySet<string>, stamp: Stamp): readonly NamespaceDeleted[] {
    const missing = [...this.#known].filter(([uid]) => !listed.has(uid));
    for (const [uid] of missing) this.#known.delete(uid);
    return missing.map(([namespaceUid, { name }]) => ({
      ...stamp,
      kind: "NamespaceDeleted",
      namespace: name,
      namespaceUid,
    }));
  }
}

function isMarked(fact: NamespaceFact): boolean {
  return fact.kind === "NamespaceObserved" && fact.marks !== undefined;
}
