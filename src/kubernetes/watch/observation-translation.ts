import type { EventHinted, Fact } from "../../job/model/fact.ts";
import type { CaptureEvent } from "./capture-event.ts";
import { HintFilter } from "../translate/hint-filter.ts";
import type { Inventory } from "./inventory.ts";
import { fieldsOf, textOf } from "../json/json-field.ts";
import { NodeReadinessHistory } from "../translate/node-readiness-history.ts";
import type { Observation } from "./step.ts";
import { translate } from "../translate/translate.ts";
import type { TextOptions } from "../translate/translated.ts";
import type { ResourceKind } from "../connection/watched-resource.ts";

export interface ObservationTranslationOptions {
  readonly inventory: Inventory;
  readonly texts?: Partial<TextOptions> | undefined;
  readonly report: (news: CaptureEvent) => void;
}

/** What observations of objects come to as facts, with what can be known only from the other observations around. */
export class ObservationTranslation {
  readonly #options: ObservationTranslationOptions;
  readonly #hints: HintFilter<EventHinted>;
  readonly #standings = new NodeReadinessHistory();

  constructor(options: ObservationTranslationOptions) {
    this.#options = options;
    this.#hints = new HintFilter((uid) => options.inventory.hasPod(uid));
  }

  /** The facts to tell; `undefined` where the object is no concern of Jobs. None, and reported, where it cannot be read. */
  factsOf({ kind, resource }: ResourceKind, { type, object }: Observation, epoch: number): readonly Fact[] | undefined {
    const { inventory, texts, report } = this.#options;
    const { jobsOfPod } = inventory;
    const translated = translate({ type, object }, { ...texts, kind, epoch, jobsOfPod });
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

function nameOf(object: Observation["object"]): string {
  const { namespace, name } = fieldsOf(object["metadata"]);
  return [textOf(namespace), textOf(name) ?? "without a name"].filter((part) => part !== undefined).join("/");
}
