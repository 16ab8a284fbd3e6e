import pLimit from "p-limit";
import type { PagedJob } from "../../explain/usage/record-usage.ts";
import type { NodeRecord } from "../../job/model/cluster-context.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import { type NodeLabel, nodeLabelsAt } from "../../job/usage/node-labels.ts";
import { boundAtOf } from "../../job/usage/pod-reservation.ts";
import { nodeKey } from "../../ports/meta-key.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { readNode } from "../clusters/cluster-records.ts";
import type { NodePart } from "./usage-report.ts";

/** Nodes that are read at the same time. */
const AT_ONCE = 32;
/** Pods whose Nodes are read together. */
const PODS_TOGETHER = 100;

/** The labels of the Nodes that Pods ran on. Each Node is read once. */
export class PodNodes {
  readonly #meta: MetaStore;
  readonly #wanted: readonly NodeLabel[];
  readonly #limit = pLimit(AT_ONCE);
  readonly #reading = new Map<string, Promise<void>>();
  readonly #labelled = new Map<string, NodeRecord["labelled"]>();

  /** `wanted`: the labels by which Nodes are grouped. */
  constructor(meta: MetaStore, wanted: readonly NodeLabel[]) {
    this.#meta = meta;
    this.#wanted = wanted;
  }

  /** The same Job. Its Pods come after their Nodes were read. */
  read(cluster: ClusterName, job: PagedJob): PagedJob {
    return { ...job, ownPods: () => this.#afterNodes(cluster, job.ownPods()) };
  }

  async *#afterNodes(cluster: ClusterName, pods: AsyncIterable<PodRecord>): AsyncGenerator<PodRecord> {
    let together: PodRecord[] = [];
    for await (const pod of pods) {
      together.push(pod);
      if (together.length < PODS_TOGETHER) continue;
      await this.#readNodes(cluster, together);
      yield* together;
      together = [];
    }
    await this.#readNodes(cluster, together);
    yield* together;
  }

  /** What is known of the Node of a Pod, once it was read. */
  partOf(cluster: ClusterName, pod: PodRecord): NodePart {
    const boundAt = boundAtOf(pod);
    const labelled = pod.scheduled && this.#labelled.get(nodeKey(cluster, pod.scheduled.node));
    const labels = boundAt === undefined ? undefined : nodeLabelsAt(labelled, boundAt);
    if (labels === undefined) return { labels };
    const wanted = this.#wanted.flatMap((key) => (labels[key] === undefined ? [] : [[key, labels[key]] as const]));
    return { labels: Object.fromEntries(wanted) };
  }

  async #readNodes(cluster: ClusterName, pods: readonly PodRecord[]): Promise<void> {
    const names = new Set(pods.flatMap(({ scheduled }) => scheduled?.node ?? []));
    await Promise.all([...names].map((node) => this.#readOnce(cluster, node)));
  }

  #readOnce(cluster: ClusterName, node: string): Promise<void> {
    const key = nodeKey(cluster, node);
    const reading = this.#reading.get(key) ?? this.#limit(() => this.#read(cluster, node));
    this.#reading.set(key, reading);
    return reading;
  }

  async #read(cluster: ClusterName, node: string): Promise<void> {
    const record = await readNode(this.#meta, cluster, node);
    this.#labelled.set(nodeKey(cluster, node), record?.labelled);
  }
}
