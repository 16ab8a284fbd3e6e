import { readFileSync, writeFileSync } from "node:fs";
import type { EtcdOracle } from "../fault-run/etcd-oracle.ts";
import type { Killable } from "../fault-run/killable.ts";
import type { ClockFile } from "./clock-file.ts";
import type { FaultyQueue } from "./faulty-queue.ts";
import type { SmallDisk } from "./small-disk.ts";
import type { StoreProxy } from "./store-proxy.ts";
import { TcpProxy } from "./tcp-proxy.ts";

/** The parts of a run by the names of its targets. */
export interface World {
  readonly processes: ReadonlyMap<string, Killable>;
  readonly disks: ReadonlyMap<string, SmallDisk>;
  readonly clocks: ReadonlyMap<string, ClockFile>;
  readonly networks: ReadonlyMap<string, TcpProxy>;
  readonly queue: FaultyQueue;
  readonly stores?: StoreProxy;
  /** The processes that a fault keeps down at the moment. All others are started again when they end. */
  readonly down: Set<string>;
  readonly etcdUrl: string;
  readonly oracle: EtcdOracle;
}

/** What answers questions: one process on SQLite, or deployed functions. It adds its parts to the world. */
export interface Tracker extends Pick<World, "processes" | "disks" | "clocks" | "networks" | "stores"> {
  readonly api: string;
  /** The clusters that it answers for. The first is the exporters'. */
  readonly clusters: readonly string[];
  /** Delivers accepted messages to it. */
  readonly sink: (bodies: readonly string[]) => Promise<void>;
  /** Starts what needs an address of the queue's other side. */
  start(): void;
  /** Resolves when everything that was accepted is applied. */
  settle(): Promise<void>;
  /** Moves the clock of what answers, so that the cluster has been silent for that long. */
  leap(byMillis: number): Promise<void>;
  /** Stops it, and returns what it finds wrong in its own store. */
  verify(): Promise<readonly string[]>;
  stop(): void;
}

/** A copy of a kubeconfig that goes through a proxy, which can separate its user from the API server. */
export async function throughProxy(kubeconfig: string, port: number, copy: string): Promise<TcpProxy> {
  const proxy = new TcpProxy(port);
  const ownPort = await proxy.start();
  writeFileSync(copy, readFileSync(kubeconfig, "utf8").replaceAll(`127.0.0.1:${port}`, `127.0.0.1:${ownPort}`), {
    mode: 0o600,
  });
  return proxy;
}
