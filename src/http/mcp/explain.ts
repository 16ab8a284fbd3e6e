import * as v from "valibot";
import type { Why } from "../../explain/answer-document.ts";
import { maybe, text } from "../../explain/answer-parts.ts";
import { read } from "./ask.ts";
import { evidenceId, MOST_EVIDENCE } from "./answer.ts";
import { describeWaiting, headOf } from "./describe.ts";
import { marked, markedText, plain, untrusted } from "./marked.ts";
import { type JobOrRun, partOf } from "./read-subject.ts";
import type { ToolContext } from "./tool.ts";

const textSchema = v.object(untrusted);

/** What an explanation has beside its head. */
export const explanationEntries = {
  details: maybe(v.array(textSchema)),
  remedies: maybe(v.pipe(v.array(textSchema), v.description("How to fix it."))),
  facts: maybe(
    v.pipe(
      v.array(v.object({ id: text, time: text, ...untrusted })),
      v.description("The facts that prove it, oldest first: `KIND/RESOURCE_VERSION/OBJECT`."),
    ),
  ),
  logs: maybe(v.array(v.object({ pod: maybe(text), container: maybe(text), ...untrusted }))),
} as const;

/**
 * Explains a Job or a run: the head and the lists of an answer. If the answer itself names no facts, the last ones of
 * the explanation are the evidence.
 */
export async function explain({ ask, page }: ToolContext, { subject, answer }: JobOrRun, sentence?: string) {
  const why = await read<Why>(ask, partOf(subject, "/why"), { uid: subject.uid });
  const lists = explanationLists(why);
  const { evidence, ...head } = headOf(answer, page, {
    texts: { headline: why.answer },
    ...(sentence !== undefined && { sentence }),
  });
  const last = lists.facts.slice(-MOST_EVIDENCE).map(({ id }) => id);
  const { waiting } = answer;
  return {
    head: {
      ...head,
      evidence: evidence.length === 0 ? last : evidence,
      ...(waiting && { waiting: describeWaiting(waiting) }),
    },
    lists,
  };
}

function explanationLists({ details, remedies, chain, logs = [] }: Why) {
  return {
    details: details.map(markedText),
    remedies: remedies.map(markedText),
    facts: chain.map(({ kind, time, resourceVersion, object, sentence }) => ({
      id: evidenceId({ kind, resourceVersion, object }),
      time,
      ...markedText(plain(object) === undefined ? `${object}: ${sentence}` : sentence),
    })),
    logs: logs.map(({ pod, container, name, url }) => marked({ pod, container }, { name, url })),
  };
}
