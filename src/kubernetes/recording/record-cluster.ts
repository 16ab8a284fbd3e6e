import type { ClusterConnection } from "../connection/cluster-connection.ts";
import { isHintFact } from "../../job/model/fact.ts";
import { formatMillis } from "../../job/model/instant.ts";
import { HintFilter } from "../watch/hint-filter.ts";
import { Inventory } from "../watch/inventory.ts";
import type { JsonObject } from "../json/json-field.ts";
import { slimObject } from "./slim-object.ts";
import type { Observation, Step } from "../watch/step.ts";
import type { TextOptions } from "../translate/translated.ts";
import { translate } from "../translate/translate.ts";
import { watchCluster, type WatchOptions } from "../watch/watch-cluster.ts";
import { kindOf } from "../connection/watched-resource.ts";

/** A watch event in a recording; objects of a list have type ADDED. */
export interface SlimEvent {
  readonly type: Observation["type"];
  readonly object: JsonObject;
  /** When the recorder received it, by its own clock: RFC 3339 in UTC, with milliseconds. */
  readonly receivedAt: string;
}

export interface RecordOptions extends WatchOptions {
  /** Which texts are recorded. @default none */
  readonly texts?: Partial<TextOptions>;
}

/**
 * Records what the watches of a cluster show about Jobs and related objects. Objects are reduced to the fields that
 * answers depend on. Pods of other owners and Events about them are left out. Gaps are reported, because a recording
 * cannot express them.
 */
export async function* recordCluster(
  connection: ClusterConnection,
  options: RecordOptions,
): AsyncGenerator<readonly SlimEvent[]> {
  const { steps } = watchCluster(connection, options);
  const recorder = new Recorder(options);
  for await (const step of steps) {
    if (step.kind === "listed" && step.gap !== undefined) {
      const { from, to, reason } = step.gap;
      options.report({ kind: "gap", resource: step.resource, millis: to - from, reason });
    }
    const events = recorder.eventsOf(step);
    if (events.length > 0) yield events;
  }
}

class Recorder {
  readonly #options: RecordOptions;
  readonly #inventory = new Inventory();
  readonly #hints = new HintFilter<SlimEvent>((uid) => this.#inventory.hasPod(uid));

  constructor(options: RecordOptions) {
    this.#options = options;
  }

  eventsOf(step: Step): readonly SlimEvent[] {
    return step.kind === "seen" ? step.observations.flatMap((observation) => this.#eventsOf(step, observation)) : [];
  }

  #eventsOf({ resource }: Step, { type, object }: Observation): readonly SlimEvent[] {
    const { kind } = kindOf(resource);
    const slim = slimObject(kind, object, this.#options.texts);
    if (slim === undefined) return [];
    const event = { type, object: slim, receivedAt: formatMillis(this.#options.clock.now()) };
    const translated = translate(event, { kind, jobsOfPod: this.#inventory.jobsOfPod });
    if (translated.outcome === "rejected") {
      const reason = translated.problems.map(({ path, message }) => `${path}: ${message}`).join(" ");
      this.#options.report({ kind: "rejected", resource, object: kind, reason });
    }
    if (translated.outcome !== "translated") return [];
    const facts = this.#inventory.namespaces.statedOf(translated.facts);
    this.#inventory.remember(facts);
    const [first] = facts;
    if (first === undefined) return [];
    if (isHintFact(first)) return this.#hints.passes(first.target, event) ? [event] : [];
    if (first.kind !== "PodCreated") return [event];
    if (type === "DELETED") this.#hints.gone(first.podUid);
    return [event, ...this.#hints.released(first.podUid)];
  }
}
