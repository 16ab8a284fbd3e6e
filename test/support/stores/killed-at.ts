/** The simulated process was killed. */
export class KilledError extends Error {
  override readonly name = "KilledError";
}

/**
 * A process that is killed before its `countdown`-th request to any of its stores. Wrap each store with {@link
 * Process.over}.
 */
export class Process {
  #countdown: number;

  constructor(countdown: number) {
    this.#countdown = countdown;
  }

  /** `store` until the process is killed. Each method call takes one argument; a returned store is wrapped too. */
  over<Store extends object>(store: Store): Store {
    return new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return (...args: readonly unknown[]) => {
          const call = () => Reflect.apply(member, target, [...args]) as unknown;
          if (name === "open") return this.over(call() as object);
          this.#countdown -= 1;
          if (this.#countdown < 0) return Promise.reject(new KilledError());
          return call();
        };
      },
    });
  }
}
