/** The same store; `requests` gets the name of each method that is called. Methods in `without` are left out. */
export function countedStore<Store extends object>(
  store: Store,
  requests: string[],
  without: readonly (keyof Store & string)[] = [],
): Store {
  return new Proxy(store, {
    get: (target, name) => {
      const value: unknown = without.some((left) => left === name) ? undefined : Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...given: unknown[]): unknown => {
        requests.push(String(name));
        return Reflect.apply(value, target, given);
      };
    },
  });
}
