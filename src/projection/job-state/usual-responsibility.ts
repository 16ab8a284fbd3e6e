import type { Cause } from "../../explain/answer-document.ts";
import type { Responsibility } from "../../job/cause/responsibility.ts";

export type StoredCause = Omit<Cause, keyof Responsibility> & Partial<Responsibility>;

/**
 * Responsibility and retry of most causes of a category. A change here would change what stored summaries mean, so it
 * needs another codec.
 */
const USUAL: Readonly<Record<Cause["category"], Responsibility>> = {
  application: { responsible: "program", retry: "unknown" },
  probe: { responsible: "program", retry: "unknown" },
  oom: { responsible: "limit", retry: "more-memory" },
  deadline: { responsible: "limit", retry: "more-time" },
  image: { responsible: "configuration", retry: "after-a-fix" },
  configuration: { responsible: "configuration", retry: "after-a-fix" },
  scheduling: { responsible: "configuration", retry: "after-a-fix" },
  eviction: { responsible: "platform", retry: "same" },
  preemption: { responsible: "platform", retry: "same" },
  "node-loss": { responsible: "platform", retry: "same" },
  deleted: { responsible: "unknown", retry: "unknown" },
  unknown: { responsible: "unknown", retry: "unknown" },
};

/** A cause as it is stored. It omits what is usual for the category, so that most causes take no more room. */
export function withoutUsualResponsibility(cause: Cause): StoredCause {
  const { responsible, retry, ...short } = cause;
  const usual = USUAL[cause.category];
  return responsible === usual.responsible && retry === usual.retry ? short : cause;
}

/** The inverse of {@link withoutUsualResponsibility}. Causes of earlier releases get what is usual. */
export function withUsualResponsibility({ category, ...others }: StoredCause): Cause {
  return { category, ...USUAL[category], ...others };
}
