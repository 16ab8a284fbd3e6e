import type { Attempt } from "../../../src/explain/answer-document.ts";
import { second } from "./listed-job.ts";

/** A successful attempt, as the API lists it: the Pod is created in second `number`, and runs for three seconds. */
export function attemptOf(number: number, fields: Partial<Attempt> = {}): Attempt {
  return {
    uid: `pod-${number}`,
    name: `report-${number}`,
    outcome: "Succeeded",
    restarts: 0,
    containers: [],
    createdAt: second(number),
    startedAt: second(number + 1),
    finishedAt: second(number + 4),
    ...fields,
  };
}
