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
          if (name === "open" || name === "runs") return this.over(call() as object);
          if (isGenerator(member)) return this.#pages(call() as AsyncIterable<unknown>);
          return this.#isKilled() ? Promise.reject(new KilledError()) : call();
        };
      },
    });
  }

  #isKilled(): boolean {
    this.#countdown -= 1;
    return this.#countdown < 0;
  }

  async *#pages(pages: AsyncIterable<unknown>): AsyncGenerator {
    if (this.#isKilled()) throw new KilledError();
    for await (const page of pages) {
      yield page;
      if (this.#isKilled()) throw new KilledError();
    }
  }
}

function isGenerator(method: object): boolean {
  return method.constructor.name === "AsyncGeneratorFunction";
}
