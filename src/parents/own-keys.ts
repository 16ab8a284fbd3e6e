/** Labels and annotations below this domain are for Outlive: users set them to route messages. */
const DOMAIN = "outlive.dev/";

export function isOwnKey(key: string): boolean {
  return key.startsWith(DOMAIN);
}

/** Those of some keys that are for Outlive; `undefined` if there are none. */
export function ownKeysOf(keys: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> | undefined {
  const own = Object.entries(keys).filter(([key]) => isOwnKey(key));
  return own.length === 0 ? undefined : Object.fromEntries(own);
}
