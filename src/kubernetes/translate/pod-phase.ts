import type {
  ContainerWaiting,
  PodCondition,
  PodFact,
  PodObserved,
  PodStarted,
  PodTerminated,
  PodUnscheduled,
} from "../../job/model/fact.ts";
import { earliestOf, parseInstant } from "../../job/model/instant.ts";
import { cutText, MAX_CONDITIONS, MAX_CONTAINERS } from "./bounds.ts";
import type { RawCondition } from "./condition.ts";
import { type ContainerStatus, unhealthyDevices } from "./container-status.ts";
import { fieldsOf, itemsOf, textOf } from "../json/json-field.ts";
import { keptMessage } from "../message/kept-message.ts";
import type { PodObservation } from "./pod-observation.ts";
import type { TranslateOptions } from "./translated.ts";
import { reasonOf } from "../message/reason.ts";

/** Adds the facts of the Pod's phase: that it started, its state, or its end. */
export function addPhase(facts: PodFact[], observation: PodObservation, options: TranslateOptions): void {
  const { stamp, phase } = observation;
  if (phase === "Succeeded" || phase === "Failed") {
    facts.push(podTerminated(observation, phase, options));
    return;
  }
  if (phase === "Running") {
    facts.push({ ...stamp, kind: "PodStarted", ...firstStart(observation) });
  }
  facts.push(podObserved(observation, options));
}

/** The earliest known start of a container, otherwise the instant at which the kubelet accepted the Pod. */
function firstStart({ containers, status }: PodObservation): Pick<PodStarted, "startedAt" | "accepted"> {
  const starts = containers
    .filter(({ init }) => !init)
    .flatMap(({ runningSince, ended, endedBefore }) => [runningSince, ended?.startedAt, endedBefore?.startedAt]);
  const first = earliestOf(starts);
  if (first !== undefined) return { startedAt: first };
  const startedAt = parseInstant(status["startTime"]);
  return { ...(startedAt !== undefined && { startedAt }), accepted: true };
}

function podObserved(observation: PodObservation, options: TranslateOptions): PodObserved {
  const { stamp, phase, conditions, containers } = observation;
  const waiting = firstWaiting(containers, options);
  const unscheduled = unscheduledOf(observation, options);
  const running = phase === "Running" ? namesOfRunning(containers) : undefined;
  return {
    ...stamp,
    kind: "PodObserved",
    phase: phase === "Pending" || phase === "Running" || phase === "" ? phase : "Unknown",
    ...readinessOf(conditions),
    restarts: containers.reduce((sum, { restartCount }) => sum + restartCount, 0),
    ...(waiting !== undefined && { waiting }),
    ...(unscheduled !== undefined && { unscheduled }),
    ...(running !== undefined && { running }),
    ...unhealthyDevices(containers),
  };
}

function readinessOf(conditions: readonly RawCondition[]): Pick<PodObserved, "ready" | "unreadySince"> {
  const readiness = conditions.find(({ type }) => type === "Ready");
  if (readiness?.status === "True") return { ready: true };
  const unreadySince = readiness?.lastTransitionAt;
  return { ready: false, ...(unreadySince !== undefined && { unreadySince }) };
}

/** Waiting reasons of a container that starts normally. */
const WAITING_TO_START = new Set(["ContainerCreating", "PodInitializing"]);

function firstWaiting(containers: readonly ContainerStatus[], options: TranslateOptions): ContainerWaiting | undefined {
  for (const { name, waiting } of containers) {
    if (waiting === undefined || WAITING_TO_START.has(waiting.reason)) continue;
    return { container: name, reason: cutText(waiting.reason), ...keptMessage(waiting, options) };
  }
  return undefined;
}

/** Why the Pod has no node. A Pod that the scheduler has not tried yet has no such condition. */
function unscheduledOf({ conditions, spec }: PodObservation, options: TranslateOptions): PodUnscheduled | undefined {
  const condition = conditions.find(({ type, status }) => type === "PodScheduled" && status === "False");
  if (condition === undefined || textOf(spec["nodeName"]) !== undefined) return undefined;
  const { reason = "", lastTransitionAt } = condition;
  const gates = itemsOf(spec["schedulingGates"]).flatMap((gate) => gateName(fieldsOf(gate)["name"]) ?? []);
  return {
    reason: cutText(reason),
    ...(lastTransitionAt !== undefined && { since: lastTransitionAt }),
    ...keptMessage(condition, options),
    ...(gates.length > 0 && { gates: gates.slice(0, MAX_GATES) }),
  };
}
const MAX_GATES = 8;

function gateName(name: unknown): string | undefined {
  const text = textOf(name);
  return text !== undefined && /^[A-Za-z0-9][A-Za-z0-9._/-]{0,316}$/.test(text) ? text : undefined;
}

/** The running containers; `undefined` where all of them run, or the status lists none. */
function namesOfRunning(containers: readonly ContainerStatus[]): readonly string[] | undefined {
  if (containers.every(({ init, isRunning }) => init || isRunning)) return undefined;
  return containers.flatMap(({ name, isRunning }) => (isRunning ? [name] : [])).slice(0, MAX_CONTAINERS);
}

function podTerminated(
  { stamp, status, conditions, tracked, containers }: PodObservation,
  phase: "Succeeded" | "Failed",
  options: TranslateOptions,
): PodTerminated {
  const reason = reasonOf(status["reason"]);
  const message = textOf(status["message"]);
  const stillRunning = containers.filter(({ isRunning }) => isRunning).map(({ name }) => name);
  const waitingAgain = containers.filter(isWaitingAgain).map(({ name }) => name);
  const truncated = conditions.length > MAX_CONDITIONS || stillRunning.length > MAX_CONTAINERS;
  return {
    ...stamp,
    kind: "PodTerminated",
    phase,
    ...(reason !== undefined && { reason: cutText(reason) }),
    ...keptMessage({ reason, message, details: status["details"] }, options),
    conditions: conditions.slice(0, MAX_CONDITIONS).map((condition) => podCondition(condition, options)),
    tracked,
    ...(stillRunning.length > 0 && { stillRunning: stillRunning.slice(0, MAX_CONTAINERS) }),
    ...(waitingAgain.length > 0 && { waitingAgain: waitingAgain.slice(0, MAX_CONTAINERS) }),
    ...unhealthyDevices(containers),
    ...(truncated && { truncated }),
  };
}

function isWaitingAgain({ isRunning, ended, endedBefore }: ContainerStatus): boolean {
  return !isRunning && ended === undefined && endedBefore !== undefined;
}

/** Conditions that every Pod has: their reasons repeat the phase. */
const STANDARD_CONDITIONS = new Set([
  "PodScheduled",
  "Initialized",
  "Ready",
  "ContainersReady",
  "PodReadyToStartContainers",
]);

function podCondition(
  { type, status, reason, message, lastTransitionAt }: RawCondition,
  { messages }: TranslateOptions,
): PodCondition {
  const hasOwnReason = !STANDARD_CONDITIONS.has(type);
  return {
    type,
    status,
    ...(hasOwnReason && reason !== undefined && { reason: cutText(reason) }),
    ...(hasOwnReason && messages && message !== undefined && { message: cutText(message) }),
    ...(lastTransitionAt !== undefined && { lastTransitionAt }),
  };
}
