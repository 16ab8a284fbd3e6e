import type { MissingObject, MissingObjectDetails } from "../../job/model/message-details.ts";
import { isObjectName, type MessageOptions, type ParseMessage } from "./message-grammar.ts";

const MISSING: readonly (readonly [RegExp, MissingObject])[] = [
  [/couldn't find key \S+ in ConfigMap (?:[^\s/]+\/)?(\S+)/i, "ConfigMap key"],
  [/couldn't find key \S+ in Secret (?:[^\s/]+\/)?(\S+)/i, "Secret key"],
  [/references non-existent config key: ()/i, "ConfigMap key"],
  [/references non-existent secret key: ()/i, "Secret key"],
  [/configmaps? "([^"]*)" not found/i, "ConfigMap"],
  [/secrets? "([^"]*)" not found/i, "Secret"],
  [/serviceaccounts? "([^"]*)" not found/i, "ServiceAccount"],
  [/persistentvolumeclaims? "([^"]*)" not found/i, "PersistentVolumeClaim"],
];

/** A missing ConfigMap, Secret or other object: `configmap "settings" not found`. */
export const parseMissingObjectMessage: ParseMessage = (message, options) => missingObjectIn(message, options);

export function missingObjectIn(message: string, { names }: MessageOptions): MissingObjectDetails | undefined {
  for (const [pattern, object] of MISSING) {
    const match = pattern.exec(message);
    if (match === null) continue;
    const name = match[1] ?? "";
    return { about: "missing", object, ...(names && isObjectName(name) && { name }) };
  }
  return undefined;
}
