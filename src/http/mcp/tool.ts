import * as v from "valibot";
import type { Instant } from "../../job/model/instant.ts";
import { decodeCursor } from "../../query/list/cursor.ts";
import type { Place } from "../../query/list/page.ts";
import type { Answer } from "./answer.ts";
import type { Ask } from "./ask.ts";
import { ToolError } from "./tool-error.ts";

/** What the tools need. */
export interface ToolContext {
  readonly ask: Ask;
  readonly now: () => Instant;
  /** Called with what a tool could not compute. Its answer does not say why. */
  readonly onError: (error: Error) => void;
  /** The address of the page, if there is one. */
  readonly page?: string | undefined;
}

type Entries = v.ObjectEntries;
type Arguments<Input extends Entries> = v.InferOutput<v.StrictObjectSchema<Input, undefined>>;

interface ToolDefinition<Input extends Entries, Output extends Entries> {
  readonly name: string;
  readonly title: string;
  /** When to use it. */
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly answer: (context: ToolContext, given: Arguments<Input>) => Promise<Answer>;
}

export interface Tool extends Omit<ToolDefinition<Entries, Entries>, "answer"> {
  readonly answer: (context: ToolContext, given: Readonly<Record<string, unknown>>) => Promise<Answer>;
}

/** A tool as data. */
export function defineTool<Input extends Entries, Output extends Entries>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  // The server reads the arguments with this definition's schema before it calls `answer`.
  return definition as unknown as Tool;
}

/** An argument of a tool. */
export function argument(description: string, most = 253) {
  return v.pipe(v.string(), v.minLength(1), v.maxLength(most), v.description(description));
}

const MAX_CURSOR = 4_096;

export const cursorArgument = {
  cursor: v.exactOptional(argument("`more.cursor` of the previous answer.", MAX_CURSOR)),
};

const placeArguments = {
  cluster: v.exactOptional(argument("Only needed if several clusters have the name.", 63)),
  namespace: v.exactOptional(argument("Only needed if several namespaces have the name.", 63)),
};

export const targetArguments = {
  target: argument(
    "The Job, run or CronJob: `NAME`, `NAMESPACE/NAME`, `job/NAME`, `jobset/NAME`, `cronjob/NAME`, or `target` of an " +
      "earlier answer (`CLUSTER/NAMESPACE/KIND/NAME`). Deleted ones are found too.",
    600,
  ),
  ...placeArguments,
  uid: v.exactOptional(argument("One of several that had this name. Defaults to the newest.", 128)),
};

/** Where the part that a cursor asks for begins; the first part without a cursor. */
export function placeIn(question: unknown, cursor: string | undefined): Place {
  if (cursor === undefined) return [0];
  const decoded = decodeCursor(question, cursor, placeOf);
  if (decoded.outcome === "decoded") return decoded.position;
  throw new ToolError(
    "The cursor is invalid. Pass `more.cursor` unchanged with the same arguments, or begin without a cursor.",
  );
}

/** The cursor of the API's page at a position; `undefined` for the first page. */
export function pageAt([, page]: Place): string | undefined {
  return typeof page === "string" ? page : undefined;
}

/** The positions in a list that the API has in pages. */
export function pagedBy(
  cursor: string | undefined,
  nextCursor: string | undefined,
): Pick<Answer, "placeAfter" | "next"> {
  return {
    placeAfter: (sent) => (cursor === undefined ? [sent] : [sent, cursor]),
    ...(nextCursor !== undefined && { next: [0, nextCursor] }),
  };
}

function placeOf(fields: readonly unknown[]): Place | undefined {
  const place = fields.filter((field) => typeof field === "string" || typeof field === "number");
  return place.length === fields.length && typeof place[0] === "number" && place[0] >= 0 ? place : undefined;
}
