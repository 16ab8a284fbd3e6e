import { createHash } from "node:crypto";
import { formatQuantity } from "../../job/usage/quantity.ts";
import { fieldsOf, itemsOf, type JsonObject } from "../json/json-field.ts";
import { resourcesOf } from "./effective-request.ts";

/** 18 bits: one change in 262,144 is missed. Each character more costs a byte of each Job's state. */
const HASH_CHARACTERS = 3;

/**
 * A hash of the requests and limits in a Pod template: of its containers, its init containers and the Pod. Equal
 * amounts have equal hashes, however their quantities are written. `undefined` if the template names none.
 */
export function hashOfResources(podSpec: JsonObject): string | undefined {
  const working = containersOf(podSpec["containers"]).sort();
  const starting = containersOf(podSpec["initContainers"]);
  const ofPod = amountsOf(podSpec);
  if (working.length + starting.length === 0 && ofPod === "") return undefined;
  const text = JSON.stringify([working, starting, ofPod]);
  return createHash("sha256").update(text).digest("base64url").slice(0, HASH_CHARACTERS);
}

/** Containers without resources do not count. The order of init containers decides what a Pod needs to start. */
function containersOf(list: unknown): string[] {
  return itemsOf(list)
    .map(fieldsOf)
    .flatMap((container) => {
      const amounts = amountsOf(container);
      if (amounts === "") return [];
      return container["restartPolicy"] === "Always" ? `sidecar ${amounts}` : amounts;
    });
}

/** A request that is absent equals the limit, as the API server sets it in each Pod. */
function amountsOf(owner: JsonObject): string {
  const { requests, limits } = fieldsOf(owner["resources"]);
  const requested = new Map([...resourcesOf(limits), ...resourcesOf(requests)]);
  const [least, most] = [textOfAmounts(requested), textOfAmounts(resourcesOf(limits))];
  return least === "" ? "" : `${least}/${most}`;
}

/** An amount of 0 is none. */
function textOfAmounts(amounts: ReadonlyMap<string, bigint>): string {
  const some = [...amounts].filter(([, amount]) => amount > 0n);
  return some
    .map(([name, amount]) => `${name}=${formatQuantity(amount)}`)
    .sort()
    .join();
}
