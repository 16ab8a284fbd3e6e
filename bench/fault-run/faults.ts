import type { EtcdOracle } from "./etcd-oracle.ts";
import type { Killable } from "./killable.ts";
import type { Outage, SmallSqs } from "../../test/support/aws/small-sqs.ts";

export interface World {
  readonly exporters: readonly [Killable, Killable];
  readonly apiServer: Killable;
  readonly etcd: Killable;
  readonly etcdUrl: string;
  readonly oracle: EtcdOracle;
  readonly sqs: SmallSqs;
}

export interface FaultPlan {
  readonly random: () => number;
  /** The length of the longest faults: 1 is 90 s for a stopped process and 180 s for the queue. */
  readonly scale: number;
  readonly until: number;
  readonly say: (fault: string) => void;
}

const OUTAGES: readonly Outage[] = ["unavailable", "denied", "silent", "cut"];

/** Injects faults, some of them concurrently, until the time is over. All are repaired before it resolves. */
export async function playFaults(world: World, plan: FaultPlan): Promise<number> {
  const mending: Promise<void>[] = [];
  let count = 0;
  while (Date.now() < plan.until) {
    await pause(4000 + plan.random() * 14_000);
    if (Date.now() >= plan.until) break;
    mending.push(playOne(world, plan));
    count += 1;
  }
  await Promise.all(mending);
  return count;
}

async function playOne(world: World, { random, scale, say }: FaultPlan): Promise<void> {
  const between = (least: number, most: number) => 1000 * (least + random() * (most - least) * scale);
  const { exporters, apiServer, etcd, sqs } = world;
  const [a, b] = exporters;
  const one = random() < 0.5 ? a : b;
  const kind = Math.floor(random() * 10);
  const faults: readonly (() => Promise<void>)[] = [
    () => killed([one], between(0, 20), say),
    () => killed([one], between(0, 20), say),
    () => killed([a, b], between(1, 60), say),
    () => killed([apiServer], between(0, 10), say),
    () => killed([etcd], between(0, 10), say),
    () => frozen([one], between(5, 90), say),
    () => frozen([random() < 0.5 ? apiServer : etcd], between(5, 90), say),
    () => compacted(world, say),
    () => withoutQueue(sqs, { outage: OUTAGES[Math.floor(random() * OUTAGES.length)], millis: between(20, 180) }, say),
    () => restartedAfterCompaction(world, between(1, 20), say),
  ];
  await faults[kind]?.();
}

function compacted(world: World, say: FaultPlan["say"]): Promise<void> {
  say("compaction");
  return compact(world);
}

interface QueueFault {
  readonly outage: Outage | undefined;
  readonly millis: number;
}

async function withoutQueue(sqs: SmallSqs, { outage, millis }: QueueFault, say: FaultPlan["say"]): Promise<void> {
  say(`queue ${outage} for ${Math.round(millis / 1000)} s`);
  sqs.fail(outage);
  await pause(millis);
  sqs.fail(undefined);
}

/** The watch cache of the new API server begins after the compacted revision, so no watch can resume. */
async function restartedAfterCompaction(world: World, millis: number, say: FaultPlan["say"]): Promise<void> {
  say("compaction, then both replicas and the API server killed");
  const down = [...world.exporters, world.apiServer];
  for (const killable of down) killable.kill();
  await compact(world);
  await pause(millis);
  for (const killable of down) killable.start();
}

async function killed(processes: readonly Killable[], millis: number, say: (fault: string) => void): Promise<void> {
  say(`kill -9 ${processes.map(({ name }) => name).join(" and ")}, back after ${Math.round(millis / 1000)} s`);
  for (const killable of processes) killable.kill();
  await pause(Math.max(millis, DYING_MILLIS));
  for (const killable of processes) killable.start();
}

/** A process that is still running is not started again. */
const DYING_MILLIS = 300;

async function frozen(processes: readonly Killable[], millis: number, say: (fault: string) => void): Promise<void> {
  say(`SIGSTOP ${processes.map(({ name }) => name).join(" and ")} for ${Math.round(millis / 1000)} s`);
  for (const killable of processes) killable.freeze();
  await pause(millis);
  for (const killable of processes) killable.thaw();
}

/** Not beyond the revision that the oracle has read, because the oracle must not miss a change. */
async function compact({ etcdUrl, oracle }: World): Promise<void> {
  const body = JSON.stringify({ revision: String(oracle.revision), physical: true });
  try {
    await fetch(`${etcdUrl}/v3/kv/compaction`, { method: "POST", body, signal: AbortSignal.timeout(5000) });
  } catch {
    // etcd is stopped at the moment, so there is no compaction.
  }
}

export function pause(millis: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, millis));
}
