import type { TextOptions } from "../translate/translated.ts";
import type { ClusterObserved, Fact, GapRecorded, Stamp } from "../../job/model/fact.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { ResourceVersion } from "../../job/model/order.ts";
import type { CaptureEvent } from "./capture-event.ts";
import type { ClusterIdentity } from "../connection/cluster-identity.ts";
import { Inventory } from "./inventory.ts";
import { fieldsOf, type JsonObject, textOf } from "../json/json-field.ts";
import type { KnownObjects } from "./known-objects.ts";
import type { Position, ResourcePosition } from "./position.ts";
import { ObservationTranslation } from "./observation-translation.ts";
import type { BlindWindow, Step } from "./step.ts";
import { translate } from "../translate/translate.ts";
import { kindOf, RESOURCE_KINDS, type WatchedResource } from "../connection/watched-resource.ts";

/** How often it is said that the cluster is still watched: every answer is as fresh as that. */
const HEARTBEAT_MILLIS = 60_000;
/** A gap has no order of its own. */
const NO_VERSION = 1 as ResourceVersion;

/**
 * One step of a capture: facts in the order they were seen, maybe none, and how far it has come with them. Whoever has made `facts` safe may
 * keep `position`; it also covers every step before.
 */
export interface Capture {
  readonly facts: readonly Fact[];
  readonly position: Position;
}

export interface CaptureStateOptions {
  /** Where to go on. */
  readonly from?: Position;
  /**
   * What is believed to exist. Asked when the capture cannot go on from `from` without a hole: what the list then lacks has vanished. Its errors end
   * the capture.
   */
  readonly known?: () => Promise<KnownObjects>;
  /** Which texts may leave the cluster. @default none */
  readonly texts?: Partial<TextOptions> | undefined;
  readonly report: (news: CaptureEvent) => void;
}

/** Semaphore the steps of a watched cluster into facts, with the position that each leads to. */
export class CaptureState {
  readonly #identity: ClusterIdentity;
  readonly #options: CaptureStateOptions;
  readonly #inventory = new Inventory();
  readonly #translation: ObservationTranslation;
  readonly #resources: Partial<Record<WatchedResource, ResourcePosition>> = {};
  /** The uids of the lists that are under way. */
  readonly #listed = new Map<WatchedResource, Set<string>>();
  /** Which resources were listed here: from then on nobody needs to be asked what was there. */
  readonly #wasListed = new Set<WatchedResource>();
  #epoch: number;
  #beatAt: Instant = 0;

  constructor(identity: ClusterIdentity, options: CaptureStateOptions) {
    this.#identity = identity;
    this.#options = options;
    this.#epoch = options.from?.epoch ?? 0;
    Object.assign(this.#resources, options.from?.resources);
    const { texts, report } = options;
    this.#translation = new ObservationTranslation({ inventory: this.#inventory, texts, report });
  }

  /** Throws what `known` throws. */
  async take(step: Step): Promise<Capture> {
    this.#place(step);
    const facts = await this.#factsOf(step);
    return { facts: [...facts, ...this.#heartbeat()], position: this.#position() };
  }

  async #factsOf(step: Step): Promise<readonly Fact[]> {
    switch (step.kind) {
      case "listing":
        this.#listed.set(step.resource, new Set());
        if (step.closesGap) await this.#askWhatIsKnown(step.resource);
        return [];
      case "seen":
        return this.#seen(step);
      case "listed":
        return this.#endList(step);
      case "present":
        for (const object of step.objects) this.#count(step, object);
        return [];
      case "blind":
        return [this.#gap(step, step.gap)];
      case "moved":
        return [];
    }
  }

  /** A position in an epoch that is over is none in the new one. */
  #place({ resource, epoch, position }: Step): void {
    if (epoch > this.#epoch) {
      this.#epoch = epoch;
      for (const { resource: other } of RESOURCE_KINDS) {
        const { seenAt } = this.#resources[other] ?? {};
        if (seenAt !== undefined) this.#resources[other] = { seenAt };
      }
    }
    if (epoch === this.#epoch) this.#resources[resource] = position;
  }

  #seen({ resource, epoch, observations }: Step & { readonly kind: "seen" }): readonly Fact[] {
    const listed = this.#listed.get(resource);
    const all: Fact[] = [];
    for (const observation of observations) {
      const facts = this.#translation.factsOf(kindOf(resource), observation, epoch);
      if (facts === undefined) continue;
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
    return [...gaps, ...this.#inventory.missing(resource, listed, { epoch, resourceVersion, at })];
  }

  /** Asked before the list: what is known then and not listed is gone. */
  async #askWhatIsKnown(resource: WatchedResource): Promise<void> {
    const { known } = this.#options;
    if (known === undefined || this.#wasListed.has(resource) || (resource !== "jobs" && resource !== "pods")) return;
    const objects: KnownObjects = await known();
    if (resource === "jobs") for (const job of objects.jobs) this.#inventory.addJob(job);
    else for (const { podUid, jobUid } of objects.pods) this.#inventory.addPod(podUid, jobUid);
  }

  /** One object of which only `metadata` was asked for: that it exists, and whose it is. */
  #count({ resource, epoch }: Step, { metadata }: JsonObject): void {
    const { kind } = kindOf(resource);
    const translated = translate({ type: "ADDED", object: { metadata } }, { kind, epoch });
    if (translated.outcome === "translated") this.#inventory.remember(translated.facts);
  }

  #gap({ resource, epoch, position }: Step, { from, to, reason }: BlindWindow): GapRecorded {
    this.#options.report({ kind: "gap", resource, millis: to - from, reason });
    const resourceVersion = position.resourceVersion ?? NO_VERSION;
    const gapId = `${resource}-${from}-${to}`;
    return { epoch, resourceVersion, at: to, kind: "GapRecorded", gapId, from, to, resources: [resource], reason };
  }

  /** Said as of when both Jobs and Pods were heard of, and not before both were listed. */
  #heartbeat(): readonly ClusterObserved[] {
    const { jobs, pods } = this.#resources;
    if (jobs?.resourceVersion === undefined || pods?.resourceVersion === undefined) return [];
    const at = Math.min(jobs.seenAt, pods.seenAt);
    if (at - this.#beatAt < HEARTBEAT_MILLIS) return [];
    this.#beatAt = at;
    const { uid, serverVersion } = this.#identity;
    const stamp: Stamp = { epoch: this.#epoch, resourceVersion: jobs.resourceVersion, at };
    return [
      {
        ...stamp,
        kind: "ClusterObserved",
        ...(uid !== undefined && { kubeSystemUid: uid }),
        ...(serverVersion !== undefined && { serverVersion }),
      },
    ];
  }

  #position(): Position {
    const { uid } = this.#identity;
    const seen = Object.values(this.#resources).map(({ seenAt }) => seenAt);
    return {
      ...(uid !== undefined && { clusterUid: uid }),
      epoch: this.#epoch,
      lastSeenAt: Math.max(this.#options.from?.lastSeenAt ?? 0, ...seen),
      resources: { ...this.#resources },
    };
  }
}

function uidOf({ metadata }: JsonObject): string {
  return textOf(fieldsOf(metadata)["uid"]) ?? "";
}
