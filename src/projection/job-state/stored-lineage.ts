import type { JobAnswer } from "../../explain/answer-document.ts";
import { type LineageAnswer, presentLineage } from "../../explain/present-lineage.ts";
import { parseInstant } from "../../job/model/instant.ts";

/** What its Job belongs to is absent where it follows from its name, labels and owner. */
export type AnswerWithoutLineage = Omit<JobAnswer, keyof LineageAnswer> & Partial<LineageAnswer>;

export function withoutLineage({ owners, run, series, externalIds, ...answer }: JobAnswer): AnswerWithoutLineage {
  const own = lineageOf(answer);
  return {
    ...answer,
    ...(isOther(owners, own.owners) && { owners }),
    ...(isOther(run, own.run) && { run }),
    ...(series !== undefined && isOther(series, own.series) && { series }),
    ...(isOther(externalIds, own.externalIds) && { externalIds }),
  };
}

/** The inverse of {@link withoutLineage}. */
export function withLineage(stored: AnswerWithoutLineage): JobAnswer {
  return { ...stored, ...lineageOf(stored), ...lineageIn(stored) };
}

function lineageIn({ owners, run, series, externalIds }: AnswerWithoutLineage): Partial<LineageAnswer> {
  return {
    ...(owners !== undefined && { owners }),
    ...(run !== undefined && { run }),
    ...(series !== undefined && { series }),
    ...(externalIds !== undefined && { externalIds }),
  };
}

function lineageOf(answer: AnswerWithoutLineage): LineageAnswer {
  const { namespace, name, uid, labels, owner } = answer;
  const scheduledAt = parseInstant(answer.scheduledAt);
  return presentLineage({
    namespace,
    name,
    uid,
    labels,
    createdAt: parseInstant(answer.createdAt) ?? 0,
    ...(owner !== undefined && { owner }),
    ...(scheduledAt === undefined ? { manual: true } : { scheduledAt }),
  });
}

/** Equal values with fields in another order count as different: they are only stored without need. */
function isOther(value: unknown, own: unknown): boolean {
  return JSON.stringify(value) !== JSON.stringify(own);
}
