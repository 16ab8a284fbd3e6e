import { durationText } from "../../job/text/duration-text.ts";
import { count } from "../../job/text/sentence.ts";
import { isBytes } from "../../job/usage/resource-unit.ts";
import { USAGE_CLASSES, type UsageClass } from "../../job/usage/usage.ts";
import type { UsageAnswer, UsageByClass } from "./usage-schema.ts";

/** What Pods reserved, in one sentence; `undefined` if none was bound to a node. */
export function usageText({ pods, bound, podSeconds, resources }: UsageAnswer): string | undefined {
  if (pods === 0) return undefined;
  const time = `${bound === "exact" ? "" : "at most "}${durationText(podSeconds.total * 1_000)}`;
  const amounts = Object.entries(resources).map(([name, { total }]) => `${name} ${amountText(name, total)}`);
  const reserved = amounts.length === 0 ? "" : ` (${amounts.join(", ")})`;
  const shares = classesOf(podSeconds).map((of) => `${shareText(podSeconds, of)} ${CLASS_WORDS[of]}`);
  const what = shares.length === 0 ? "" : `: ${shares.join(", ")}`;
  return `${count(pods, "Pod")} reserved ${time}${reserved}${what}.`;
}

/** The classes that have any time, the largest first. */
export function classesOf(byClass: UsageByClass): readonly UsageClass[] {
  return USAGE_CLASSES.filter((of) => byClass[of] > 0).sort((a, b) => byClass[b] - byClass[a]);
}

export const CLASS_WORDS: Readonly<Record<UsageClass, string>> = {
  startUp: "start-up",
  idle: "idle",
  active: "active",
  kept: "kept",
  duplicate: "duplicate",
  failed: "failed",
  interrupted: "interrupted",
  cancelled: "cancelled",
  unknown: "unknown",
};

export function shareText(byClass: UsageByClass, of: UsageClass): string {
  const percent = (100 * byClass[of]) / byClass.total;
  return percent > 0 && percent < 1 ? "< 1 %" : `${Math.round(percent)} %`;
}

/** An amount of the answer for people, in hours: cores, GiB, or units of an extended resource. */
export function amountText(resource: string, amount: number): string {
  const unit = resource === "cpu" ? "core h" : isBytes(resource) ? "GiB h" : "h";
  return `${rounded(unitHours(resource, amount))} ${unit}`;
}

/** Core hours, GiB hours, or hours of a unit of an extended resource: what prices are about. */
export function unitHours(resource: string, amount: number): number {
  return amount / 3_600 / (isBytes(resource) ? GIB : 1);
}

const GIB = 1_073_741_824;

export function rounded(amount: number): string {
  return String(Number(amount.toPrecision(3)));
}
