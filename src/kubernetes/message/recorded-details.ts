import type { MessageDetails } from "../../job/model/message-details.ts";
import { isMessageDetails } from "../../segment/message-details-check.ts";

/**
 * Whether `value` is valid details of a recording, which contains them in place of messages. Each text must be one that
 * a parser can write: a name, a resource or a quantity.
 */
export function isRecordedDetails(value: unknown): value is MessageDetails {
  return isMessageDetails(value) && JSON.stringify(value).length <= MAX_LENGTH && textsOf(value).every(isToken);
}
const MAX_LENGTH = 2_048;

function isToken(text: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9._/ -]{0,314}[A-Za-z0-9])?$/.test(text);
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
