import { setTimeout as pause } from "node:timers/promises";
import type { MessageFault, RequestFault } from "./faulty-queue.ts";
import type { Fault, FaultKind } from "./schedule.ts";
import type { StoreFault } from "./store-proxy.ts";
import type { World } from "./world.ts";

/** A killed process is not started again before it is gone. */
const DYING_MILLIS = 300;

type Injection = (world: World, fault: Fault) => Promise<boolean>;

const INJECTIONS: Readonly<Record<FaultKind, Injection>> = {
  kill: (world, { target, forMillis }) => kill(world, target, forMillis),
  stop: (world, { target, forMillis }) => stop(world, target, forMillis),
  "disk full": (world, { target, forMillis }) => fill(world, target, forMillis),
  "clock jump": (world, { target, forMillis, byMillis = 0 }) => jump(world, target, { forMillis, byMillis }),
  throttle: (world, { target, forMillis }) => disturb(world, `${target}, throttle`, forMillis),
  duplicate: (world, { forMillis }) => damage(world, "duplicate", forMillis),
  reorder: (world, { forMillis }) => damage(world, "reorder", forMillis),
  corrupt: (world, { forMillis }) => damage(world, "corrupt", forMillis),
  partition: (world, { target, forMillis }) => separate(world, target, forMillis),
  compaction: (world) => compact(world),
};

/** Injects a fault, and repairs it after its time. Returns whether it could be injected on this machine. */
export function inject(world: World, fault: Fault): Promise<boolean> {
  return INJECTIONS[fault.kind](world, fault);
}

async function kill({ processes, down }: World, target: string, millis: number): Promise<boolean> {
  const process = processes.get(target);
  down.add(target);
  process?.kill();
  await pause(Math.max(DYING_MILLIS, millis));
  down.delete(target);
  process?.start();
  return process !== undefined;
}

async function stop({ processes }: World, target: string, millis: number): Promise<boolean> {
  const process = processes.get(target);
  process?.freeze();
  await pause(millis);
  process?.thaw();
  return process !== undefined;
}

async function fill({ disks }: World, target: string, millis: number): Promise<boolean> {
  const disk = disks.get(target);
  const isFull = disk?.fill() ?? false;
  await pause(millis);
  disk?.empty();
  return isFull;
}

async function jump(
  { clocks }: World,
  target: string,
  { forMillis, byMillis }: { readonly forMillis: number; readonly byMillis: number },
): Promise<boolean> {
  const clock = clocks.get(target);
  clock?.jump(byMillis);
  await pause(forMillis);
  clock?.reset();
  return clock !== undefined;
}

async function damage({ queue }: World, kind: MessageFault, millis: number): Promise<boolean> {
  queue.messageFaults.add(kind);
  if (kind === "corrupt") queue.requestFaults.add("corrupt");
  await pause(millis);
  queue.messageFaults.delete(kind);
  if (kind === "corrupt") queue.requestFaults.delete("corrupt");
  return true;
}

async function separate(world: World, target: string, millis: number): Promise<boolean> {
  const network = world.networks.get(target);
  if (network === undefined) return disturb(world, target, millis);
  // A silent connection is the harder case: nothing ends it.
  network.separate(millis % 2 === 0 ? "cut" : "silent");
  await pause(millis);
  network.rejoin();
  return true;
}

/** `target` names a part and what is done to it: "queue, silent". */
async function disturb({ queue, stores }: World, target: string, millis: number): Promise<boolean> {
  const [part, how = ""] = target.split(", ");
  if (part === "queue") {
    queue.fail(how as RequestFault);
    await pause(millis);
    queue.requestFaults.delete(how as RequestFault);
    return true;
  }
  stores?.fail(how as StoreFault);
  await pause(millis);
  stores?.faults.delete(how as StoreFault);
  return stores !== undefined;
}

/** Not beyond the revision that the oracle has read, because the oracle must not miss a change. */
async function compact({ etcdUrl, oracle }: World): Promise<boolean> {
  const body = JSON.stringify({ revision: String(oracle.revision), physical: true });
  try {
    await fetch(`${etcdUrl}/v3/kv/compaction`, { method: "POST", body, signal: AbortSignal.timeout(5000) });
    return true;
  } catch (cause) {
    // etcd is down at the moment, so there is no compaction.
    if (cause instanceof Error) return false;
    throw cause;
  }
}
