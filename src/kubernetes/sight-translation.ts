import type { EventHinted, Fact } from "../job/fact.ts";
import type { CaptureNews } from "./capture-news.ts";
import { HintSieve } from "./hint-sieve.ts";
import type { Inventory } from "./inventory.ts";
import { fieldsOf, textOf } from "./json-field.ts";
import { NodeStandings } from "./node-standings.ts";
import type { Sight } from "./step.ts";
import { translate } from "./translate.ts";
import type { ResourceKind } from "./watched-resource.ts";

export interface SightTranslationOptions {
  readonly inventory: Inventory;
  readonly containerMessages: boolean;
  readonly report: (news: CaptureNews) => void;
}

/** What sights of objects come to as facts, with what can be known only from the other sights around. */
export class SightTranslation {
  readonly #options: SightTranslationOptions;
  readonly #hints: HintSieve<EventHinted>;
  readonly #standings = new NodeStandings();

  constructor(options: SightTranslationOptions) {
    this.#options = options;
    this.#hints = new HintSieve((uid) => options.inventory.hasPod(uid));
  }

  /** The facts to tell; `undefined` where the object is no concern of Jobs. None, and reported, where it cannot be read. */
  factsOf({ kind, resource }: ResourceKind, { type, object }: Sight, epoch: number): readonly Fact[] | undefined {
    const { inventory, containerMessages, report } = this.#options;
    const { jobsOfPod } = inventory;
    const translated = translate({ type, object }, { kind, epoch, containerMessages, jobsOfPod });
    switch (translated.outcome) {
      case "ignored":
        return undefined;
      case "translated":
        inventory.remember(translated.facts);
        return this.#standings.news(translated.facts).flatMap((fact) => this.#sieved(fact));
      case "rejected": {
        const reason = translated.problems.map(({ path, message }) => `${path}: ${message}`).join(" ");
        report({ kind: "rejected", resource, object: nameOf(object), reason });
        return [];
      }
    }
  }

  /** A hint may have to wait until its Pod is known, and then comes with it. */
  #sieved(fact: Fact): readonly Fact[] {
    if (fact.kind === "EventHinted") return this.#hints.passes(fact.target, fact) ? [fact] : [];
    if (fact.kind === "PodDeleted") this.#hints.gone(fact.podUid);
    return fact.kind === "PodCreated" ? [fact, ...this.#hints.released(fact.podUid)] : [fact];
  }
}

function nameOf(object: Sight["object"]): string {
  const { namespace, name } = fieldsOf(object["metadata"]);
  return [textOf(namespace), textOf(name) ?? "without a name"].filter((part) => part !== undefined).join("/");
}
