import { statusOf } from "../../parents/status/statuses.ts";
import type { WatchedStatus } from "../../parents/status/watched-status.ts";
import { fieldsOf, isObject, itemsOf, type JsonObject, textOf } from "../json/json-field.ts";
import { keptConditionMessage, keptMessage } from "../message/kept-message.ts";
import { reasonOf } from "../message/reason.ts";
import type { TranslateOptions } from "../translate/translated.ts";

/** The fields of a slim object, with details in place of messages. They translate to the same facts as the original. */
export function slimMessages(kind: string, body: JsonObject, options: TranslateOptions): JsonObject {
  switch (kind) {
    case "Event":
      return withDetails(body, options);
    case "Pod":
      return { ...body, ...(isObject(body["status"]) && { status: slimPodStatus(body["status"], options) }) };
    case "Job":
      return { ...body, ...(isObject(body["status"]) && { status: slimJobStatus(body["status"], options) }) };
  }
  const of = statusOf(kind);
  if (of === undefined || !isObject(body["status"])) return body;
  return { ...body, status: slimParentStatus(of, body["status"]) };
}

/** The kind says which details it reads from the message of a condition. */
function slimParentStatus({ details: read }: WatchedStatus, status: JsonObject): JsonObject {
  return {
    ...status,
    ...mapped(status, "conditions", ({ message: text, ...condition }) => {
      const details = read?.({ type: textOf(condition["type"]) ?? "", message: textOf(text) ?? "" });
      return { ...condition, ...tokenIn(condition), ...(details && { details }) };
    }),
  };
}

function slimPodStatus(status: JsonObject, options: TranslateOptions): JsonObject {
  return {
    ...withDetails(status, options),
    ...mapped(status, "conditions", (condition) => withDetails(condition, options)),
    ...mapped(status, "containerStatuses", (container) => slimContainer(container, options)),
    ...mapped(status, "initContainerStatuses", (container) => slimContainer(container, options)),
  };
}

function slimContainer(container: JsonObject, options: TranslateOptions): JsonObject {
  const { state, lastState } = container;
  return {
    ...container,
    ...(isObject(state) && { state: slimState(state, options) }),
    ...(isObject(lastState) && { lastState: slimState(lastState, options) }),
  };
}

function slimState(state: JsonObject, options: TranslateOptions): JsonObject {
  const { waiting, terminated } = state;
  return {
    ...state,
    ...(isObject(waiting) && { waiting: withDetails(waiting, options) }),
    ...(isObject(terminated) && {
      terminated: withDetails(terminated, { ...options, messages: options.containerMessages }),
    }),
  };
}

function slimJobStatus(status: JsonObject, options: TranslateOptions): JsonObject {
  return {
    ...status,
    ...mapped(status, "conditions", ({ message: text, ...condition }) => {
      const message = keptConditionMessage(text, options);
      return { ...condition, ...tokenIn(condition), ...(message !== undefined && { message }) };
    }),
  };
}

/** `reason` and what may be kept of `message`. */
function withDetails({ message: text, ...object }: JsonObject, options: TranslateOptions): JsonObject {
  const raw = { reason: textOf(object["reason"]), message: textOf(text), details: object["details"] };
  const { details } = keptMessage(raw, options);
  return {
    ...object,
    ...tokenIn(object),
    ...(options.messages && text !== undefined && { message: text }),
    ...(details && { details }),
  };
}

/** A recording keeps only what facts keep: a reason that is free text is replaced. */
function tokenIn(object: JsonObject): { readonly reason?: string } {
  const reason = reasonOf(object["reason"]);
  return reason === undefined ? {} : { reason };
}

function mapped(object: JsonObject, field: string, slim: (item: JsonObject) => JsonObject): JsonObject {
  return Array.isArray(object[field]) ? { [field]: itemsOf(object[field]).map((item) => slim(fieldsOf(item))) } : {};
}
