import type { EventReasons } from "../translate/explaining-events.ts";
import type { TextOptions } from "../translate/translated.ts";
import type { ClusterObserved, Fact, GapRecorded, Stamp } from "../../job/model/fact.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { ResourceVersion } from "../../job/model/order.ts";
import type { CaptureEvent } from "./capture-event.ts";
import type { ClusterIdentity } from "../connection/cluster-identity.ts";
import { DatedWrites } from "./dated-writes.ts";
import { Inventory } from "./inventory.ts";
import { MarkedNamespaces } from "../translate/memory/marked-namespaces.ts";
import { fieldsOf, type JsonObject, textOf } from "../json/json-field.ts";
import type { KnownObjects } from "./known-objects.ts";
import type { Position, ResourcePosition } from "./position.ts";
import { ObservationTranslation } from "./observation-translation.ts";
import type { WatchGap, Step } from "./step.ts";
import { translate } from "../translate/translate.ts";
import { kindOf, RESOURCE_KINDS, type WatchedResource } from "../connection/watched-resource.ts";

/** The interval of heartbeats. Answers are at most this stale. */
const HEARTBEAT_MILLIS = 60_000;
/** A gap has no resourceVersion of its own. */
const NO_VERSION = 1 as ResourceVersion;

/**
 * One step of a capture: facts in the order of observation, possibly none, and the position after them.
 * The caller may store `position` once `facts` are safe; it also covers all earlier steps.
 */
export interface Capture {
  readonly facts: readonly Fact[];
  readonly position: Position;
}

export interface CaptureStateOptions {
  /** Where to continue. */
  readonly from?: Position;
  /**
   * The objects that the tracker believes to exist. Called when the capture cannot continue from `from` without a gap:
   * objects that the list then lacks have vanished. The capture waits for it, and asks once for Jobs and Pods.
   * `undefined`: they cannot be read at the moment. Its errors end the capture.
   */
  readonly known?: () => Promise<KnownObjects | undefined>;
  /** Which texts may leave the cluster. @default none */
  readonly texts?: Partial<TextOptions> | undefined;
  /** The normal Events to keep. @default DEFAULT_EVENT_REASONS */
  readonly eventReasons?: EventReasons | undefined;
  readonly report: (event: CaptureEvent) => void;
}

/** What is known of the cluster so far. */
type KnownIdentity = Pick<ClusterIdentity, "uid" | "serverVersion">;

/** Turns the steps of a watched cluster into facts and positions. */
export class CaptureState {
  readonly #identity: KnownIdentity;
  readonly #options: CaptureStateOptions;
  readonly #inventory: Inventory;
  readonly #translation: ObservationTranslation;
  readonly #resources: Partial<Record<WatchedResource, ResourcePosition>> = {};
  /** The uids in lists that are not complete yet. */
  readonly #listed = new Map<WatchedResource, Set<string>>();
  /** Resources that this capture has listed. It no longer needs the tracker's objects for them. */
  readonly #wasListed = new Set<WatchedResource>();
  /** The objects that the tracker believed to exist when the first list began. */
  #known: KnownObjects | undefined;
  #epoch: number;
  #heartbeatAt: Instant = 0;
  readonly #writes = new DatedWrites();

  /** `now`: the cluster's clock. */
  constructor(identity: KnownIdentity, now: () => Instant, options: CaptureStateOptions) {
    this.#identity = identity;
    this.#options = options;
    this.#epoch = options.from?.epoch ?? 0;
    Object.assign(this.#resources, options.from?.resources);
    const { texts, eventReasons, report } = options;
    const inventory = new Inventory(new MarkedNamespaces(options.from?.namespaces));
    this.#inventory = inventory;
    this.#translation = new ObservationTranslation({ inventory, texts, eventReasons, report, now });
  }

  /** Throws the errors of `known`. */
  async take(step: Step): Promise<Capture> {
    this.#updatePosition(step);
    const facts = await this.#factsOf(step);
    return { facts: [...facts, ...this.#heartbeat()], position: this.#position() };
  }

  async #factsOf(step: Step): Promise<readonly Fact[]> {
    switch (step.kind) {
      case "listing":
        this.#listed.set(step.resource, new Set());
        if (step.closesGap) await this.#loadKnownObjects(step.resource);
        return [];
      case "seen":
        return this.#factsOfObservations(step);
      case "listed":
        return this.#endList(step);
      case "present":
        for (const object of step.objects) this.#rememberMetadata(step, object);
        return [];
      case "removed":
        return this.#forgetAll(step);
      case "gap":
        return [this.#gap(step, step.gap)];
      case "moved":
        return [];
    }
  }

  /**
   * A position contains an optional resource only while it is watched. Without it, the next capture expects no changes
   * since then. Resets the positions of earlier epochs: their resourceVersions mean nothing in the new one.
   */
  #updatePosition({ resource, epoch, position }: Step): void {
    if (epoch > this.#epoch) {
      this.#epoch = epoch;
      for (const { resource: other } of RESOURCE_KINDS) {
        const { seenAt } = this.#resources[other] ?? {};
        if (seenAt !== undefined) this.#resources[other] = { seenAt };
      }
    }
    if (epoch !== this.#epoch) return;
    if (kindOf(resource).isOptional && position.resourceVersion === undefined) delete this.#resources[resource];
    else this.#resources[resource] = position;
  }

  #factsOfObservations({ resource, epoch, observations }: Step & { readonly kind: "seen" }): readonly Fact[] {
    const listed = this.#listed.get(resource);
    const all: Fact[] = [];
    for (const observation of observations) {
      const facts = this.#translation.factsOf(kindOf(resource), observation, epoch);
      if (facts === undefined) continue;
      this.#writes.note(resource, observation.object);
      listed?.add(uidOf(observation.object));
      all.push(...facts);
    }
    return all;
  }

  #endList(step: Step & { readonly kind: "listed" }): readonly Fact[] {
    const { resource, epoch, resourceVersion, at, isPartial, gap } = step;
    const listed = this.#listed.get(resource);
    this.#listed.delete(resource);
    this.#wasListed.add(resource);
    const gaps = gap === undefined ? [] : [this.#gap(step, gap)];
    if (listed === undefined || isPartial) return gaps;
    return [...gaps, ...this.#translation.missing(resource, listed, { epoch, resourceVersion, at })];
  }

  #forgetAll({ resource, epoch, at, resourceVersion }: Step & { readonly kind: "removed" }): readonly Fact[] {
    this.#listed.delete(resource);
    return this.#translation.missing(resource, new Set(), {
      epoch,
      at,
      resourceVersion: resourceVersion ?? NO_VERSION,
    });
  }

  /** Loads the known objects before the list: those that the list lacks have vanished. */
  async #loadKnownObjects(resource: WatchedResource): Promise<void> {
    const { known } = this.#options;
    if (known === undefined || this.#wasListed.has(resource) || (resource !== "jobs" && resource !== "pods")) return;
    this.#known ??= await known();
    if (this.#known === undefined) return;
    const { jobs, pods } = this.#known;
    if (resource === "jobs") for (const job of jobs) this.#inventory.addJob(job);
    else for (const { podUid, jobUid } of pods) this.#inventory.addPod(podUid, jobUid);
  }

  /** Remembers an object of which only `metadata` was requested: that it exists, and its owner. */
  #rememberMetadata({ resource, epoch }: Step, { metadata }: JsonObject): void {
    const { kind, apiVersions } = kindOf(resource);
    const object = { apiVersion: apiVersions[0], metadata };
    const translated = translate({ type: "ADDED", object }, { kind, epoch });
    if (translated.outcome === "translated") this.#inventory.remember(translated.facts);
  }

  #gap({ resource, epoch, position }: Step, { from, to, reason }: WatchGap): GapRecorded {
    this.#options.report({ kind: "gap", resource, millis: to - from, reason });
    const resourceVersion = position.resourceVersion ?? NO_VERSION;
    const gapId = `${resource}-${from}-${to}`;
    return { epoch, resourceVersion, at: to, kind: "GapRecorded", gapId, from, to, resources: [resource], reason };
  }

  /**
   * The heartbeat, as of the instant up to which Jobs and Pods were both observed. There is none before both were
   * listed.
   */
  #heartbeat(): readonly ClusterObserved[] {
    const { jobs, pods } = this.#resources;
    if (jobs?.resourceVersion === undefined || pods?.resourceVersion === undefined) return [];
    const at = Math.min(jobs.seenAt, pods.seenAt);
    if (at - this.#heartbeatAt < HEARTBEAT_MILLIS) return [];
    this.#heartbeatAt = at;
    const { uid, serverVersion } = this.#identity;
    const stamp: Stamp = { epoch: this.#epoch, resourceVersion: jobs.resourceVersion, at };
    return [
      {
        ...stamp,
        kind: "ClusterObserved",
        ...(uid !== undefined && { kubeSystemUid: uid }),
        ...(serverVersion !== undefined && { serverVersion }),
        ...(this.#writes.takeUndated() && { undated: true }),
      },
    ];
  }

  #position(): Position {
    const { uid } = this.#identity;
    const namespaces = this.#inventory.namespaces.kept;
    const seen = Object.values(this.#resources).map((resource) => resource?.seenAt ?? 0);
    return {
      ...(uid !== undefined && { clusterUid: uid }),
      epoch: this.#epoch,
      lastSeenAt: Math.max(this.#options.from?.lastSeenAt ?? 0, ...seen),
      resources: { ...this.#resources },
      ...(namespaces !== undefined && { namespaces }),
    };
  }
}

function uidOf({ metadata }: JsonObject): string {
  return textOf(fieldsOf(metadata)["uid"]) ?? "";
}
