import type { Instant } from "../../../src/job/model/instant.ts";
import { drawnUid } from "./drawn.ts";
import { DAY, stamp, type WatchEvent } from "./watch-events.ts";

interface NodesRange {
  readonly from: Instant;
  readonly now: Instant;
  /** When a Node was short of memory. @default never */
  readonly pressure?: { readonly node: string; readonly from: Instant; readonly to: Instant };
}

const AGE = 40 * DAY;

/** The Nodes when the watch begins, their last heartbeats, and a time in which one of them was short of memory. */
export function nodeEvents(nodes: readonly string[], { from, now, pressure }: NodesRange): readonly WatchEvent[] {
  return nodes.flatMap((name) => {
    const observed = { name, createdAt: from - AGE };
    const isPressed = pressure?.node === name;
    return [
      nodeEvent(observed, from, { type: "ADDED" }),
      ...(isPressed
        ? [nodeEvent(observed, pressure.from, { pressed: pressure.from }), nodeEvent(observed, pressure.to, {})]
        : []),
      nodeEvent(observed, now, {}),
    ];
  });
}

interface NodeState {
  /** @default "MODIFIED" */
  readonly type?: WatchEvent["type"];
  /** Since when it is short of memory. */
  readonly pressed?: Instant;
}

interface NodeIdentity {
  readonly name: string;
  readonly createdAt: Instant;
}

function nodeEvent(
  { name, createdAt }: NodeIdentity,
  at: Instant,
  { type = "MODIFIED", pressed }: NodeState,
): WatchEvent {
  const ready = { type: "Ready", status: "True", reason: "KubeletReady" };
  const condition = { ...ready, lastTransitionTime: stamp(createdAt), lastHeartbeatTime: stamp(at) };
  const taint = { key: "node.kubernetes.io/memory-pressure", effect: "NoSchedule" };
  const metadata = { name, uid: drawnUid(`node ${name}`), creationTimestamp: stamp(createdAt), labels: LABELS };
  const spec = pressed === undefined ? {} : { taints: [taint] };
  return { at, type, object: { apiVersion: "v1", kind: "Node", metadata, spec, status: { conditions: [condition] } } };
}

const LABELS = { "node.kubernetes.io/instance-type": "m7i.2xlarge" };
