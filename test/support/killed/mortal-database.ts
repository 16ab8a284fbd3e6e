import { AsyncLocalStorage } from "node:async_hooks";
import type { Database } from "../../../src/adapters/sqlite/database.ts";
import { KilledError } from "../killed/killed-at.ts";

/** A process that is killed before a durable write. Until then, it counts them. */
export class Life {
  readonly #killedAt: number;
  #isKilled = false;
  writes = 0;

  /** The process is killed before the write of this number, counted from 0. */
  constructor(killedAt = Infinity) {
    this.#killedAt = killedAt;
  }

  get isKilled(): boolean {
    return this.#isKilled;
  }

  /** Throws KilledError from the fatal write on. */
  write(): void {
    if (this.writes >= this.#killedAt) this.#isKilled = true;
    if (this.#isKilled) throw new KilledError();
    this.writes += 1;
  }

  /** Throws KilledError after the fatal write. */
  read(): void {
    if (this.#isKilled) throw new KilledError();
  }
}

/**
 * A database of a process that is killed. A transaction is one durable write, so a kill within it is a kill before it.
 */
export function mortalDatabase(database: Database, life: Life): Database {
  const inside = new AsyncLocalStorage<true>();
  const durable = async (call: () => unknown): Promise<unknown> => {
    if (inside.getStore() === true) life.read();
    else life.write();
    return inside.run(true, async () => call());
  };
  return new Proxy(database, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...args: readonly unknown[]) => {
        const call = (): unknown => Reflect.apply(member, target, [...args]);
        if (name === "write" || name === "inTransaction" || name === "purge") return durable(call);
        if (name !== "close") life.read();
        return call();
      };
    },
  });
}

/** Objects of the same process, beside its database. */
export function mortalObjects<Objects extends object>(objects: Objects, life: Life): Objects {
  return new Proxy(objects, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...args: readonly unknown[]) => {
        if (WRITES.has(name)) life.write();
        else life.read();
        return Reflect.apply(member, target, [...args]) as unknown;
      };
    },
  });
}

const WRITES: ReadonlySet<string | symbol> = new Set(["putIfAbsent", "remove", "erase"]);
