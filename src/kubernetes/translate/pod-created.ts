import type { PodCreated } from "../../job/model/fact.ts";
import { cutText, MAX_CONTAINERS, MAX_INT32, MAX_NAME_LENGTH } from "./bounds.ts";
import { countOf, fieldsOf, itemsOf, type JsonObject, textOf } from "../json/json-field.ts";
import { isName } from "./metadata.ts";
import type { PodObservation } from "./pod-observation.ts";

const INDEX = "batch.kubernetes.io/job-completion-index";
const INDEX_FAILURE_COUNT = "batch.kubernetes.io/job-index-failure-count";
const INDEX_IGNORED_FAILURE_COUNT = "batch.kubernetes.io/job-index-ignored-failure-count";

/** The identity of the Pod. The index comes from the annotation: the label of the same name only repeats it. */
export function podCreated({ stamp, metadata, spec, status }: PodObservation): PodCreated {
  const annotations = fieldsOf(metadata.fields["annotations"]);
  const index = indexOf(annotations[INDEX]);
  const indexFailureCount = failureCountOf(annotations[INDEX_FAILURE_COUNT]);
  const indexIgnoredFailureCount = failureCountOf(annotations[INDEX_IGNORED_FAILURE_COUNT]);
  const activeDeadlineSeconds = countOf(spec["activeDeadlineSeconds"]);
  const containers = namesOf(Array.isArray(spec["containers"]) ? spec["containers"] : status["containerStatuses"]);
  const sidecars = namesOf(itemsOf(spec["initContainers"]).filter(isSidecar));
  const truncated = containers.length > MAX_CONTAINERS || sidecars.length > MAX_CONTAINERS;
  return {
    ...stamp,
    kind: "PodCreated",
    namespace: metadata.namespace,
    name: metadata.name,
    createdAt: metadata.createdAt ?? stamp.at,
    ...(index !== undefined && { index }),
    ...(indexFailureCount !== undefined && { indexFailureCount }),
    ...(indexIgnoredFailureCount !== undefined && { indexIgnoredFailureCount }),
    ...(activeDeadlineSeconds !== undefined && { activeDeadlineSeconds }),
    containers: containers.slice(0, MAX_CONTAINERS),
    ...(sidecars.length > 0 && { sidecars: sidecars.slice(0, MAX_CONTAINERS) }),
    ...restartableIn(spec),
    ...podGroupIn(spec),
    ...(truncated && { truncated }),
  };
}

/**
 * A whole number of at least 0, as the Job controller reads it (Go's `strconv.Atoi` allows a sign and leading zeros).
 */
function indexOf(annotation: unknown): number | undefined {
  if (typeof annotation !== "string" || !/^[+-]?[0-9]+$/.test(annotation)) return undefined;
  const index = Number(annotation);
  return Number.isSafeInteger(index) && index >= 0 ? index + 0 : undefined;
}

/** As in the Job controller, an invalid, negative or too large number counts as 0. */
function failureCountOf(annotation: unknown): number | undefined {
  if (annotation === undefined || annotation === null) return undefined;
  const count = indexOf(annotation);
  return count !== undefined && count <= MAX_INT32 ? count : 0;
}

function isSidecar(container: unknown): boolean {
  return fieldsOf(container)["restartPolicy"] === "Always";
}

/** The containers that may run again whatever the Pod's restartPolicy is. */
function restartableIn(spec: JsonObject): Pick<PodCreated, "restartable"> {
  const names = namesOf([
    ...itemsOf(spec["containers"]).filter((container) => hasPolicy(container) || hasRules(container)),
    ...itemsOf(spec["initContainers"]).filter(hasRules),
  ]);
  return names.length === 0 ? {} : { restartable: names.slice(0, MAX_CONTAINERS) };
}

function podGroupIn(spec: JsonObject): Pick<PodCreated, "podGroup"> {
  const podGroup = fieldsOf(spec["schedulingGroup"])["podGroupName"];
  return isName(podGroup, MAX_NAME_LENGTH) ? { podGroup } : {};
}

/** A restart policy of the container, which may start it again in a Pod with restartPolicy Never (KEP-5307). */
function hasPolicy(container: unknown): boolean {
  const { restartPolicy } = fieldsOf(container);
  return restartPolicy === "Always" || restartPolicy === "OnFailure";
}

/** Rules that may restart it for some exit codes (KEP-5307). */
function hasRules(container: unknown): boolean {
  return itemsOf(fieldsOf(container)["restartPolicyRules"]).length > 0;
}

function namesOf(containers: unknown): string[] {
  const names: string[] = [];
  for (const container of itemsOf(containers)) {
    const name = textOf(fieldsOf(container)["name"]);
    if (name !== undefined) names.push(cutText(name));
  }
  return names;
}
