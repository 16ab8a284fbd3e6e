import { restartsOf } from "../../job/model/pod-end.ts";
import type { ClusterContext } from "../../job/model/cluster-context.ts";
import { earliestOf, type Instant } from "../../job/model/instant.ts";
import { endedAt, startedAt } from "../../job/model/pod-end.ts";
import { firstEnd } from "../../job/model/outcome.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import { nodeLabelsAt } from "../../job/usage/node-labels.ts";
import { boundAtOf } from "../../job/usage/pod-reservation.ts";
import { type AttemptContext, presentAttempt } from "../present-attempt.ts";

/** What the Pods of a Job have in common, and where they differ. */
export interface PodTraits {
  readonly pods: number;
  readonly nodes: ReadonlySet<string>;
  /** The values of each label of their Nodes. */
  readonly nodeLabels: ReadonlyMap<string, ReadonlySet<string>>;
  /** The last request of each Pod, by resource. */
  readonly requests: ReadonlyMap<string, ReadonlySet<string>>;
  /** The container that decided how a Pod ended: "137 (OOMKilled)". */
  readonly exits: ReadonlySet<string>;
  /** Why Pods did not succeed. */
  readonly categories: ReadonlySet<string>;
  readonly restarts: number;
  /** When the first Pod started to run. */
  readonly startedAt?: Instant | undefined;
  /** The longest time from a node to the first container, and from there to the end of a Pod, in milliseconds. */
  readonly startUp?: number | undefined;
  readonly attempt?: number | undefined;
}

/** Collects the traits of Pods that are visited one by one. */
export class PodTraitSearch {
  readonly #context: AttemptContext;
  readonly #nodes = new Set<string>();
  readonly #nodeLabels = new Map<string, Set<string>>();
  readonly #requests = new Map<string, Set<string>>();
  readonly #exits = new Set<string>();
  readonly #categories = new Set<string>();
  #pods = 0;
  #restarts = 0;
  #startedAt: Instant | undefined;
  #startUp: number | undefined;
  #attempt: number | undefined;

  constructor(context: AttemptContext) {
    this.#context = context;
  }

  visit(pod: PodRecord): void {
    this.#pods += 1;
    this.#restarts += restartsOf(pod);
    this.#visitPlace(pod);
    this.#visitTimes(pod);
    const requests = pod.reserved?.at(-1)?.requests ?? {};
    for (const [resource, quantity] of Object.entries(requests)) addTo(this.#requests, resource, quantity);
    const { exitCode, reason, category } = presentAttempt(pod, this.#context);
    if (exitCode !== undefined) this.#exits.add(exitText(exitCode, reason));
    if (category !== undefined) this.#categories.add(category);
  }

  found(): PodTraits {
    return {
      pods: this.#pods,
      nodes: this.#nodes,
      nodeLabels: this.#nodeLabels,
      requests: this.#requests,
      exits: this.#exits,
      categories: this.#categories,
      restarts: this.#restarts,
      startedAt: this.#startedAt,
      startUp: this.#startUp,
      attempt: this.#attempt,
    };
  }

  #visitPlace(pod: PodRecord): void {
    const node = pod.scheduled?.node;
    if (node === undefined) return;
    this.#nodes.add(node);
    for (const [key, value] of Object.entries(labelsOf(pod, node, this.#context.clusterContext))) {
      addTo(this.#nodeLabels, key, value);
    }
  }

  #visitTimes(pod: PodRecord): void {
    const [bound, started] = [boundAtOf(pod), startedAt(pod)];
    if (started === undefined) return;
    this.#startedAt = earliestOf([this.#startedAt, started]);
    if (bound !== undefined) this.#startUp = Math.max(this.#startUp ?? 0, started - bound);
    const ended = firstEnd(pod) === undefined ? undefined : endedAt(pod);
    if (ended !== undefined) this.#attempt = Math.max(this.#attempt ?? 0, ended - started);
  }
}

function labelsOf(pod: PodRecord, node: string, { nodes }: ClusterContext): Readonly<Record<string, string>> {
  return nodeLabelsAt(nodes.get(node)?.labelled, boundAtOf(pod) ?? 0) ?? {};
}

function exitText(exitCode: number, reason: string | undefined): string {
  return reason === undefined || reason === "Completed" || reason === "Error"
    ? `${exitCode}`
    : `${exitCode} (${reason})`;
}

function addTo(sets: Map<string, Set<string>>, key: string, value: string): void {
  const known = sets.get(key);
  if (known === undefined) sets.set(key, new Set([value]));
  else known.add(value);
}
