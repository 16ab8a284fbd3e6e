import type { Owner } from "../../job/model/fact.ts";
import { MAX_NAME_LENGTH, cutText } from "./bounds.ts";
import { fieldsOf, itemsOf, type JsonObject, textOf } from "../json/json-field.ts";

/** The owner reference with `controller: true`: an object has at most one. */
export function controllerOf(metadata: JsonObject): JsonObject | undefined {
  for (const reference of itemsOf(metadata["ownerReferences"])) {
    const fields = fieldsOf(reference);
    if (fields["controller"] === true) return fields;
  }
  return undefined;
}

/** Whether a Job of Kubernetes is the controller. That of Volcano has the same kind. */
export function isOfJob(controller: JsonObject | undefined): boolean {
  return controller?.["kind"] === "Job" && controller["apiVersion"] === "batch/v1";
}

export function ownerOf(metadata: JsonObject): Owner | undefined {
  const controller = controllerOf(metadata);
  const kind = textOf(controller?.["kind"]);
  const name = textOf(controller?.["name"]);
  const uid = textOf(controller?.["uid"]);
  if (kind === undefined || name === undefined || uid === undefined) return undefined;
  return {
    ...apiVersionOf(controller, kind),
    kind: cutText(kind),
    name: cutText(name, MAX_NAME_LENGTH),
    uid: cutText(uid),
  };
}

/** Most Jobs are of CronJobs, so theirs is not stored. */
function apiVersionOf(controller: JsonObject | undefined, kind: string): Pick<Owner, "apiVersion"> {
  const apiVersion = textOf(controller?.["apiVersion"]);
  return apiVersion === undefined || kind === "CronJob" ? {} : { apiVersion: cutText(apiVersion) };
}
