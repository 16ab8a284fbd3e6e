import { textOf } from "../json/json-field.ts";

/** Replaces a reason that is not a token. Such a reason is free text and may contain anything, even a secret. */
const INVALID_REASON = "InvalidReason";

/** The reasons of conditions (`metav1.Condition`), and those of the kubelet, such as `OutOfnvidia.com/gpu`. */
const REASON = /^[A-Za-z](?:[A-Za-z0-9_.,:/-]{0,126}[A-Za-z0-9_])?$/;

/**
 * A reason in CamelCase. The API server does not check the reasons of Pods, containers and Events: a controller may
 * write text into them, and text does not leave the cluster.
 */
export function reasonOf(value: unknown): string | undefined {
  const reason = textOf(value);
  return reason === undefined || REASON.test(reason) ? reason : INVALID_REASON;
}
