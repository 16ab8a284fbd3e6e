import type { Responsibility } from "../../job/cause/responsibility.ts";

/** "Responsible: limit. Retry: more-memory". */
export function responsibilityText({ responsible, retry }: Responsibility): string {
  return `Responsible: ${responsible}. Retry: ${retry}`;
}
