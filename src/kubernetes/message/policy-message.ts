import type { PolicyDetails } from "../../job/model/message-details.ts";
import { isLabel, isObjectName } from "./message-grammar.ts";

const RULE = /matching (FailJob|FailIndex) rule at index ([0-9]{1,3})$/.source;
const BY_EXIT_CODE = new RegExp(`^Container (\\S+) for pod \\S+/(\\S+) failed with exit code (-?[0-9]{1,10}) ${RULE}`);
const BY_CONDITION = new RegExp(`^Pod \\S+/(\\S+) has condition ([A-Za-z0-9._/-]{1,316}) ${RULE}`);

/** The message of a Job that its pod failure policy ended. Facts contain each of these names and numbers anyway. */
export function parsePolicyMessage(message: string): PolicyDetails | undefined {
  return byExitCode(message) ?? byCondition(message);
}

function byExitCode(message: string): PolicyDetails | undefined {
  const [, container = "", pod = "", exitCode, action, rule] = BY_EXIT_CODE.exec(message) ?? [];
  if (!isLabel(container) || !isObjectName(pod)) return undefined;
  return {
    about: "policyRule",
    action: actionOf(action),
    rule: Number(rule),
    pod,
    container,
    exitCode: Number(exitCode),
  };
}

function byCondition(message: string): PolicyDetails | undefined {
  const [, pod = "", condition, action, rule] = BY_CONDITION.exec(message) ?? [];
  if (condition === undefined || !isObjectName(pod)) return undefined;
  return { about: "policyRule", action: actionOf(action), rule: Number(rule), pod, condition };
}

function actionOf(text: string | undefined): PolicyDetails["action"] {
  return text === "FailIndex" ? "FailIndex" : "FailJob";
}
