import { PodGcDetector } from "../../job/attribution/pod-gc-detector.ts";
import type { EventHinted, EvictionObserved, Fact } from "../../job/model/fact.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { CaptureEvent } from "./capture-event.ts";
import { DEFAULT_EVENT_REASONS, type EventReasons, explainsSomething } from "../translate/explaining-events.ts";
import { HintFilter } from "./hint-filter.ts";
import type { Inventory } from "./inventory.ts";
import { fieldsOf, textOf } from "../json/json-field.ts";
import { NodeReadinessHistory } from "../translate/memory/node-readiness-history.ts";
import { RepeatedEvents } from "./repeated-events.ts";
import { RepeatedEvictions } from "../evictions/repeated-evictions.ts";
import type { Observation } from "./step.ts";
import { translate } from "../translate/translate.ts";
import type { TextOptions } from "../translate/translated.ts";
import type { ResourceKind } from "../connection/watched-resource.ts";

export interface ObservationTranslationOptions {
  readonly inventory: Inventory;
  readonly texts?: Partial<TextOptions> | undefined;
  /** The normal Events to keep. @default DEFAULT_EVENT_REASONS */
  readonly eventReasons?: EventReasons | undefined;
  readonly report: (event: CaptureEvent) => void;
  /** The cluster's clock. Without it, instants may be in the future. */
  readonly now?: () => Instant;
}

/** Translates observations into facts, with the context of other observations. */
export class ObservationTranslation {
  readonly #options: ObservationTranslationOptions;
  readonly #hints: HintFilter<EventHinted | EvictionObserved>;
  readonly #repeatedEvents = new RepeatedEvents();
  readonly #repeatedEvictions = new RepeatedEvictions();
  readonly #nodeReadiness = new NodeReadinessHistory();
  readonly #podGc = new PodGcDetector();

  constructor(options: ObservationTranslationOptions) {
    this.#options = options;
    // A hint that was dropped while it waited was never sent, so its next repetition is sent.
    this.#hints = new HintFilter(
      (uid) => options.inventory.hasPod(uid),
      ({ kind, hintId }) => (kind === "EventHinted" ? this.#repeatedEvents : this.#repeatedEvictions).forget(hintId),
    );
  }

  /**
   * The facts of an observation; `undefined` where the object is unrelated to Jobs.
   * Empty, and reported, where the object cannot be read.
   */
  factsOf({ kind, resource }: ResourceKind, { type, object }: Observation, epoch: number): readonly Fact[] | undefined {
    const { inventory, texts, eventReasons = DEFAULT_EVENT_REASONS, report, now } = this.#options;
    if (resource === "events" && !explainsSomething(object, eventReasons)) return undefined;
    const { jobsOfPod } = inventory;
    const translated = translate({ type, object }, { ...texts, kind, epoch, jobsOfPod, arrivedAt: now?.() });
    switch (translated.outcome) {
      case "ignored":
        return undefined;
      case "translated":
        return this.#statedOf(inventory.namespaces.statedOf(translated.facts));
      case "rejected": {
        const reason = translated.problems.map(({ path, message }) => `${path}: ${message}`).join(" ");
        report({ kind: "rejected", resource, object: nameOf(object), reason });
        return [];
      }
    }
  }

  /** The facts about objects that a list lacks, without those about evictions of other Pods than those of Jobs. */
  missing(...args: Parameters<Inventory["missing"]>): readonly Fact[] {
    return this.#options.inventory.missing(...args).flatMap((fact) => this.#filterHints(fact));
  }

  #statedOf(facts: readonly Fact[]): readonly Fact[] {
    this.#options.inventory.remember(facts);
    return [
      ...this.#nodeReadiness.withoutRepeats(facts).flatMap((fact) => this.#filterHints(fact)),
      ...this.#podGc.hintsOf(facts),
    ];
  }

  /** Holds a hint until its Pod is known, and then returns it with the Pod. */
  #filterHints(fact: Fact): readonly Fact[] {
    if (fact.kind === "EventHinted" || fact.kind === "EvictionObserved") return this.#isNewHint(fact) ? [fact] : [];
    if (fact.kind === "PodDeleted" || fact.kind === "PodVanished") this.#hints.gone(fact.podUid);
    return fact.kind === "PodCreated" ? [fact, ...this.#hints.released(fact.podUid)] : [fact];
  }

  #isNewHint(fact: EventHinted | EvictionObserved): boolean {
    const isNew =
      fact.kind === "EventHinted"
        ? this.#repeatedEvents.passes(fact.hintId, fact)
        : this.#repeatedEvictions.passes(fact);
    return isNew && this.#hints.passes(fact.target, fact);
  }
}

function nameOf(object: Observation["object"]): string {
  const { namespace, name } = fieldsOf(object["metadata"]);
  return [textOf(namespace), textOf(name) ?? "without a name"].filter((part) => part !== undefined).join("/");
}
