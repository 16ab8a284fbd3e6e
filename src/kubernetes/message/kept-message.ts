import type { MessageDetails } from "../../job/model/message-details.ts";
import { MESSAGES } from "../../job/status/conditions.ts";
import { textOf } from "../json/json-field.ts";
import { messageDetails } from "./parse-message.ts";
import { parsePolicyMessage } from "./policy-message.ts";
import { isMessageDetails } from "../../segment/message-details-check.ts";
import { cutText } from "../translate/bounds.ts";
import type { TranslateOptions } from "../translate/translated.ts";

/** The parts of a message that a fact contains. */
export interface KeptMessage {
  readonly message?: string;
  readonly details?: MessageDetails;
}

/** A message of an object, with its reason. Recordings contain details in place of the text. */
export interface RawMessage {
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly details?: unknown;
}

/** The details of a message, and its text if the options include it. */
export function keptMessage({ reason = "", message, details }: RawMessage, options: TranslateOptions): KeptMessage {
  const known = isRecordedDetails(details) ? allowed(details, options) : messageDetails(reason, message, options);
  return {
    ...(options.messages && message !== undefined && { message: cutText(message) }),
    ...(known !== undefined && { details: known }),
  };
}

/** A recording may contain names even if the reading options exclude them. */
function allowed(details: MessageDetails, { names }: TranslateOptions): MessageDetails {
  if (details.about === "missing") {
    const { name, ...rest } = details;
    return names && name !== undefined ? details : rest;
  }
  return details;
}

/**
 * The message of a Job's condition, if the Job controller wrote it: a fixed text, or one that names only the rule, the
 * Pod and the container.
 */
export function keptConditionMessage(
  text: unknown,
  { messages }: Pick<TranslateOptions, "messages">,
): string | undefined {
  const message = textOf(text);
  if (message === undefined) return undefined;
  return messages || isWrittenByJobController(message) ? cutText(message) : undefined;
}

const FIXED_TEXTS: ReadonlySet<string> = new Set([...Object.values(MESSAGES), "Job suspended", "Job resumed"]);

function isWrittenByJobController(message: string): boolean {
  if (FIXED_TEXTS.has(message) || /^Matched rules at index [0-9]{1,3}$/.test(message)) return true;
  return parsePolicyMessage(message) !== undefined;
}

/**
 * Whether `value` is valid details of a recording, which contains them in place of messages. Each text must be one that
 * a parser can write: a name, a resource or a quantity.
 */
export function isRecordedDetails(value: unknown): value is MessageDetails {
  return (
    isMessageDetails(value) && JSON.stringify(value).length <= MAX_RECORDED_LENGTH && textsOf(value).every(isToken)
  );
}
const MAX_RECORDED_LENGTH = 2_048;

function isToken(text: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9._/ -]{0,314}[A-Za-z0-9])?$/.test(text);
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
