import * as v from "valibot";
import type {
  ComparedFieldAnswer,
  ComparedSubject,
  ComparisonAnswer,
} from "../../../explain/compare/comparison-document.ts";
import { fieldTitle } from "../../../explain/compare/field-text.ts";
import { noLastGoodOf } from "../../../explain/compare/last-good-text.ts";
import { count, maybe, text } from "../../../explain/answer-parts.ts";
import { count as counted, list } from "../../../job/text/sentence.ts";
import { type Answer, answerEntries } from "../answer.ts";
import { read, RefusedError } from "../ask.ts";
import { cronJobAnswer } from "../describe-cron-job.ts";
import { marked, plain, untrusted } from "../marked.ts";
import { partOf, type ReadSubject, readSubject } from "../read-subject.ts";
import { joined } from "../sentence.ts";
import { linkOf, presentSubject, type Subject, subjectEntries, subjectText } from "../subject.ts";
import { argument, cursorArgument, defineTool, placeIn, targetArguments, type ToolContext } from "../tool.ts";
import { ToolError } from "../tool-error.ts";

const sideSchema = v.object({
  ...subjectEntries,
  state: text,
  createdAt: maybe(text),
  finishedAt: maybe(text),
  completeness: text,
});

const fieldSchema = v.object({ kind: text, group: text, key: maybe(text), ...untrusted });

export const compareRuns = defineTool({
  name: "compare_runs",
  title: "What differs from the last good run?",
  description:
    "Compare a Kubernetes Job or run with the last good one of its series, owner or name, or with another one: " +
    "outcome, images, resources, spec, nodes and times. Use it when something worked before and fails or is slow now.",
  input: {
    ...targetArguments,
    with: v.exactOptional(argument("Another Job or run: its uid, name or target. Defaults to the last good one.", 600)),
    ...cursorArgument,
  },
  output: {
    ...answerEntries,
    chosen: v.pipe(v.picklist(["lastGood", "given"]), v.description("How the other one was chosen.")),
    before: maybe(sideSchema),
    after: sideSchema,
    noLastGood: maybe(text),
    equalCount: count,
    differences: v.array(fieldSchema),
    unknown: v.pipe(
      v.array(fieldSchema),
      v.description("Fields that are unknown for one of the two. They are not in `differences`."),
    ),
  },
  answer: async (context, { cursor, with: other, ...given }): Promise<Answer> => {
    const question = { compare: given, other };
    const [sent = 0] = placeIn(question, cursor);
    const found = await readSubject(context, given);
    if (found.type === "cronjob") throw ofCronJob(found, context.page);
    const { subject, answer } = found;
    const uid = other === undefined ? undefined : await uidOf(context, subject, other);
    const comparison = await read<ComparisonAnswer>(context.ask, partOf(subject, "/compare"), {
      uid: answer.uid,
      with: uid,
    });
    const { asOf } = answer;
    return {
      question,
      sent: Number(sent),
      ...comparisonAnswer({ comparison, subject, asOf: asOf.time, page: context.page }),
    };
  },
});

function ofCronJob(
  { subject, answer }: Extract<ReadSubject, { readonly type: "cronjob" }>,
  page: string | undefined,
): ToolError {
  const { lists } = cronJobAnswer(subject, answer, page);
  return new ToolError("A CronJob has many runs. Call compare_runs with one of them.", lists.runs.slice(0, MOST_RUNS));
}

const MOST_RUNS = 5;

/** The uid of another Job or run, by what people write. What names nothing may be a uid. */
async function uidOf(context: ToolContext, { cluster, namespace, kind }: Subject, other: string): Promise<string> {
  const isName = other.includes("/");
  const target = isName ? other : `${cluster}/${namespace}/${kind}/${other}`;
  try {
    const found = await readSubject(context, { target, cluster, namespace });
    return found.type === "cronjob" ? other : (found.answer.uid ?? other);
  } catch (error) {
    if (isName || !(error instanceof RefusedError)) throw error;
    return other;
  }
}

interface Compared {
  readonly comparison: ComparisonAnswer;
  readonly subject: Subject;
  readonly asOf: string;
  readonly page: string | undefined;
}

function comparisonAnswer({ comparison, subject, asOf, page }: Compared) {
  const { chosen, before, after, noLastGood, differences, equal, unknown } = comparison;
  const { cluster, namespace, kind, name } = subject;
  const head = {
    sentence: comparisonSentence(comparison, subject),
    asOf,
    gaps: [],
    evidence: [],
    ...linkOf(page, { view: "compare", path: [cluster, namespace, kind.toLowerCase(), name], uid: after.uid }),
    chosen,
    ...(before && { before: describeSide(before) }),
    after: describeSide(after),
    ...(noLastGood && { noLastGood: noLastGood.reason }),
    equalCount: equal.length,
  };
  return { head, lists: { differences: differences.map(describeField), unknown: unknown.map(describeField) } };
}

function describeSide(side: ComparedSubject) {
  const { cluster, namespace, kind, name, uid, state, createdAt, finishedAt, completeness } = side;
  return {
    ...presentSubject({ cluster, namespace, kind, name, uid }),
    state,
    ...(createdAt !== undefined && { createdAt }),
    ...(finishedAt !== undefined && { finishedAt }),
    completeness,
  };
}

function describeField({ kind, key, group, before, after }: ComparedFieldAnswer) {
  return { kind, group, ...marked({ key }, { before: before.text, after: after.text }) };
}

const MOST_FIELDS = 8;

function comparisonSentence(
  { chosen, before, after, differences, noLastGood }: ComparisonAnswer,
  subject: Subject,
): string {
  const who = subjectText({ ...subject, kind: after.kind });
  if (before === undefined) {
    const none = noLastGood && clauseOf(noLastGoodOf(noLastGood.reason, "to compare with").message);
    return joined([`${who} is ${after.state}`, none]);
  }
  const titles = [...new Set(differences.map(titleOf))];
  const which = chosen === "lastGood" ? "the last good one" : "the other one";
  const other = before.createdAt === undefined ? which : `${which}, created at ${before.createdAt}`;
  return joined([
    `${who} is ${after.state}; ${other} is ${before.state}`,
    differences.length === 0 ? "no recorded field differs" : differingText(differences.length, titles),
    after.completeness === "gaps" || before.completeness === "gaps" ? "observed in part (gaps)" : undefined,
  ]);
}

/** A sentence as a part of another one. */
function clauseOf(sentence: string): string {
  return `${sentence.slice(0, 1).toLowerCase()}${sentence.slice(1).replace(/\.$/, "")}`;
}

function titleOf({ kind, key }: ComparedFieldAnswer): string {
  const name = plain(key);
  return fieldTitle({ kind, ...(name !== undefined && { key: name }) });
}

function differingText(number: number, titles: readonly string[]): string {
  return `${counted(number, "field")} ${number === 1 ? "differs" : "differ"}: ${list(titles, MOST_FIELDS)}`;
}
