import type { ContainerEnded } from "../../job/model/fact.ts";
import { fieldsOf, itemsOf, type JsonObject, textOf } from "../json/json-field.ts";
import { isQuantity } from "../message/message-grammar.ts";

type Limits = Pick<ContainerEnded, "memoryLimit" | "podMemoryLimit">;

/**
 * The limits that a container which ran out of memory can have hit: its own one, and that of its Pod (KEP-2837) unless
 * it is the only container. During a resize (KEP-1287, KEP-5419) the status has those in effect, and the spec those
 * that are desired.
 */
export function memoryLimitsOf(
  { spec, status }: { readonly spec: JsonObject; readonly status: JsonObject },
  container: string,
): Limits {
  const specs = [...itemsOf(spec["containers"]), ...itemsOf(spec["initContainers"])].map(fieldsOf);
  const statuses = [...itemsOf(status["containerStatuses"]), ...itemsOf(status["initContainerStatuses"])].map(fieldsOf);
  const isOwn = ({ name }: JsonObject): boolean => name === container;
  const memoryLimit = limitIn(statuses.find(isOwn), specs.find(isOwn));
  const podMemoryLimit = memoryLimit === undefined || specs.length > 1 ? limitIn(status, spec) : undefined;
  return {
    ...(memoryLimit !== undefined && { memoryLimit }),
    ...(podMemoryLimit !== undefined && { podMemoryLimit }),
  };
}

function limitIn(...objects: readonly (JsonObject | undefined)[]): string | undefined {
  const limits = objects.map((object) => fieldsOf(fieldsOf(object?.["resources"])["limits"]));
  return limits.map(({ memory }) => textOf(memory)).find((limit) => limit !== undefined && isQuantity(limit));
}
