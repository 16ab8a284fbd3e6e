import type { AnsweredDeletions, StoppedPods } from "../../job/cause/stopped-pods.ts";
import { count } from "../../job/text/sentence.ts";
import { byWhom } from "../attribution-text.ts";

/**
 * Why Pods were stopped that did not fail: a suspension, a scale-down, or a deletion that the program answered with
 * success.
 */
export function stoppedTexts({ bySuspension, byRelease, surplus, answered }: StoppedPods): readonly string[] {
  return [
    ...(bySuspension === 0 ? [] : [`its suspension stopped ${count(bySuspension, "Pod")}, not counted as failed`]),
    ...(byRelease === 0
      ? []
      : [`a suspension or scale-down stopped ${count(byRelease, "Pod")}, not counted as failed`]),
    ...(surplus === 0 ? [] : [`${count(surplus, "surplus Pod")} stopped, not counted as failed`]),
    ...(answered === undefined ? [] : [answeredText(answered)]),
  ];
}

function answeredText({ pods, by, countedAs }: AnsweredDeletions): string {
  const counted = countedAs === undefined ? "" : `, counted as ${countedAs}`;
  return `${count(pods, "Pod")} deleted ${byWhom(by)} ended with exit code 0${counted}`;
}

/** Says that Pods were deleted because the Job ended, and are not causes of its end. Empty if there are none. */
export function collateralText({ byEnd }: StoppedPods): string {
  return byEnd === 0 ? "" : `${count(byEnd, "more Pod")} stopped with it`;
}
