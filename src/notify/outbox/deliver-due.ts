import type { DueSubjects } from "../../ports/notices.ts";
import type { Receiver } from "../rules/rules.ts";
import { deliverSubjects, type DeliverSubjectsPorts } from "./deliver-subjects.ts";

export interface DeliverDuePorts extends DeliverSubjectsPorts {
  readonly dueSubjects: DueSubjects;
}

/** What one pass did. `failing`: the receiver accepted no message. */
export type Pass =
  | { readonly outcome: "idle" | "delivered" }
  | { readonly outcome: "failing"; readonly problem: string };

/** The most notifications that one message can contain, and that one pass reads. */
export const MOST_AT_ONCE = 100;

/** Sends a receiver what is due, about so many subjects at most. */
export async function deliverDue(ports: DeliverDuePorts, receiver: Receiver, limit = MOST_AT_ONCE): Promise<Pass> {
  const subjects = await ports.dueSubjects.due(receiver.name, { now: ports.now(), limit });
  const { delivered, failed, dead } = await deliverSubjects(ports, receiver, subjects);
  if (delivered > 0 || dead.length > 0) return { outcome: "delivered" };
  const [first] = failed;
  return first === undefined ? { outcome: "idle" } : { outcome: "failing", problem: first.problem };
}
