import * as v from "valibot";
import type { Completeness, FactRef } from "../../explain/answer-document.ts";
import { count, maybe, text } from "../../explain/answer-parts.ts";
import { factId } from "../../explain/present-evidence.ts";
import { encodeCursor } from "../../query/list/cursor.ts";
import type { Place } from "../../query/list/page.ts";
import { shortText } from "../../job/text/short-text.ts";
import { marked, plain, untrusted } from "./marked.ts";

/** What every answer of a tool has. */
export const answerEntries = {
  sentence: v.pipe(text, v.description("The answer in one sentence, in the words of Outlive.")),
  asOf: maybe(v.pipe(text, v.description("The time of the last data that the answer is based on."))),
  completeness: maybe(
    v.pipe(
      v.picklist(["complete", "reconciled", "gaps", "stale"]),
      v.description("`gaps`: observed in part. `stale`: the cluster has been silent since `heardAt`."),
    ),
  ),
  heardAt: maybe(text),
  gaps: v.pipe(
    v.array(v.object({ from: maybe(text), to: maybe(text), resources: v.array(text), ...untrusted })),
    v.description("Intervals in which the watch was not complete: at most 3."),
  ),
  gapCount: maybe(v.pipe(count, v.description("The number of gaps, if there are more."))),
  evidence: v.pipe(v.array(text), v.description("Ids of the facts that decide the answer.")),
  warnings: maybe(v.pipe(v.array(v.object(untrusted)), v.description("Why data may be missing now."))),
  link: maybe(v.pipe(text, v.description("The page about it."))),
  more: maybe(
    v.object({
      count: v.pipe(count, v.description("How many items were left out.")),
      atLeast: maybe(v.literal(true)),
      cursor: v.pipe(text, v.description("Call the tool again with the same arguments and this cursor.")),
    }),
  ),
} as const;

/** The largest result of a tool, as JSON in UTF-8. */
export const MAX_RESULT_BYTES = 8_000;
/** What the protocol adds to text and structured content: the names of the server and of fields. */
export const PROTOCOL_BYTES = 300;

type Item = Readonly<Record<string, unknown>>;

/** An answer before it is cut. */
export interface Answer {
  /** Every field except the lists. Its size does not depend on the cursor. */
  readonly head: Item;
  /** The lists, in the order in which they are sent. */
  readonly lists: Readonly<Record<string, readonly Item[]>>;
  /** How many items of the lists earlier parts had. @default none */
  readonly sent?: number;
  /** The position after this many items of the lists. @default their number */
  readonly placeAfter?: (sent: number) => Place;
  /** The position after the last item, if the lists go on. */
  readonly next?: Place | undefined;
  /** Identifies the question. */
  readonly question: unknown;
}

export interface ToolResult extends Record<string, unknown> {
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly structuredContent: Record<string, unknown>;
}

/** For clients that ignore structured content, the text has the same JSON. */
function resultOf(structured: Item): ToolResult {
  return { content: [{ type: "text", text: JSON.stringify(structured) }], structuredContent: { ...structured } };
}

/** Lengths of texts from a cluster. The shorter ones are for answers in which not one item fits otherwise. */
const SHORTEST = 30;
const TEXT_LENGTHS = [300, 100, SHORTEST];

/**
 * The answer with as many items as fit, and at least one, so that each cursor leads on. The same answer is always cut
 * at the same item. If labels and long texts leave no room for an item, the head loses all text from the cluster.
 */
export function cutAnswer(answer: Answer): ToolResult {
  for (const length of TEXT_LENGTHS) {
    const cut = cutAt(shortenedIn(answer, length));
    if (cut.fits) return cut.result;
  }
  const { link: _, ...head } = answer.head;
  return cutAt(shortenedIn({ ...answer, head: { ...unmarked(head), evidence: [] } }, SHORTEST)).result;
}

interface Cut {
  readonly result: ToolResult;
  /** Whether the result has at least one item, if there are any, and is small enough. */
  readonly fits: boolean;
}

function cutAt(answer: Answer): Cut {
  const { lists, sent = 0 } = answer;
  const total = Object.values(lists).reduce((sum, items) => sum + items.length, 0) - sent;
  let taken = 0;
  let result = withItems(answer, 0);
  let size = sizeOf(result);
  while (taken < total) {
    const larger = withItems(answer, taken + 1);
    const largerSize = sizeOf(larger);
    if (largerSize > MAX_RESULT_BYTES - PROTOCOL_BYTES) break;
    taken += 1;
    result = larger;
    size = largerSize;
  }
  return { result, fits: size <= MAX_RESULT_BYTES - PROTOCOL_BYTES && (taken > 0 || total <= 0) };
}

function sizeOf(result: ToolResult): number {
  return Buffer.byteLength(JSON.stringify(result));
}

function withItems({ head, lists, sent = 0, placeAfter, next, question }: Answer, taken: number): ToolResult {
  const until = sent + taken;
  const shown: Record<string, readonly Item[]> = {};
  let before = 0;
  for (const [name, items] of Object.entries(lists)) {
    shown[name] = items.slice(Math.max(0, sent - before), Math.max(0, until - before));
    before += items.length;
  }
  const left = Math.max(0, before - until);
  const place = left > 0 ? (placeAfter ?? numberOnly)(until) : next;
  const more = place && {
    count: left,
    ...(next !== undefined && { atLeast: true }),
    cursor: encodeCursor(question, place),
  };
  return resultOf({ ...head, ...shown, ...(more && { more }) });
}

function numberOnly(sent: number): Place {
  return [sent];
}

function shortenedIn(answer: Answer, most: number): Answer {
  const { head, lists } = answer;
  const shorter = Object.entries(lists).map(([name, items]) => [name, items.map((item) => shortened(item, most))]);
  return { ...answer, head: shortened(head, most), lists: Object.fromEntries(shorter) as Answer["lists"] };
}

function shortened<Value>(value: Value, most: number, isMarked = false): Value {
  if (typeof value === "string") return (isMarked ? shortText(value, most) : value) as Value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one: unknown) => shortened(one, most, isMarked)) as Value;
  const entries = Object.entries(value).map(([name, one]) => [
    name,
    shortened<unknown>(one, most, isMarked || name === "untrusted"),
  ]);
  return Object.fromEntries(entries) as Value;
}

/** Without text from a cluster. */
function unmarked<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).filter(([name]) => name !== "untrusted");
  return Object.fromEntries(entries.map(([name, one]) => [name, unmarked<unknown>(one)])) as Value;
}

const MOST_GAPS = 3;

/** How complete an answer is. */
export function completenessOf({ level, gaps, heardAt }: Completeness) {
  return {
    completeness: level,
    ...(heardAt !== undefined && { heardAt }),
    ...gapsOf(gaps),
  };
}

/** The first gaps, and their number if there are more. */
export function gapsOf(gaps: Completeness["gaps"]) {
  return { gaps: gaps.slice(0, MOST_GAPS).map(gapOf), ...(gaps.length > MOST_GAPS && { gapCount: gaps.length }) };
}

export function gapOf({ from, to, resources, reason }: Completeness["gaps"][number]) {
  const words = resources.filter((resource) => plain(resource) !== undefined);
  return {
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    resources: words,
    ...marked({}, { reason }),
  };
}

/** Ids of facts in one answer. */
export const MOST_EVIDENCE = 4;

/** The ids of these facts, each once. */
export function evidenceOf(...facts: readonly (readonly FactRef[] | undefined)[]): readonly string[] {
  const ids = facts.flatMap((some) => (some ?? []).map(evidenceId));
  return [...new Set(ids)].slice(0, MOST_EVIDENCE);
}

/** The id of a fact, without its object if that has characters that names do not have. */
export function evidenceId(fact: Parameters<typeof factId>[0]): string {
  const { object: _, ...withoutObject } = fact;
  return plain(factId(fact)) ?? factId(withoutObject);
}
