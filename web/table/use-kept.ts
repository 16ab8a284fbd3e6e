import { useRef } from "preact/hooks";
import type { Live } from "../api/live.ts";

/**
 * The last answer to the same question while it is asked in another way, such as in another order. The table stays in
 * the document, and with it the focus.
 */
export function useKept<Answer>(live: Live<Answer>, question: string): { live: Live<Answer>; isKept: boolean } {
  const last = useRef<{ readonly question: string; readonly live: Live<Answer> } | undefined>(undefined);
  if (live.phase !== "loading") {
    last.current = { question, live };
    return { live, isKept: false };
  }
  return last.current?.question === question ? { live: last.current.live, isKept: true } : { live, isKept: false };
}
