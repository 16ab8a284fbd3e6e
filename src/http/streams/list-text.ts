import type { TextParts } from "./answer-body.ts";

/** Items of a list. */
export interface ListPart {
  readonly items: readonly unknown[];
  /** The text after the items. Set only in the last part. */
  readonly end?: string;
}

/** The JSON of a list, as JSON.stringify writes it: `begin` ends before the first item. */
export function listText(begin: string, nextPart: () => Promise<ListPart>): TextParts {
  let separator = begin;
  return async () => {
    const { items, end } = await nextPart();
    let text = "";
    for (const item of items) {
      text += separator + JSON.stringify(item);
      separator = ",";
    }
    if (end === undefined) return { text, isLast: false };
    return { text: (separator === "," ? text : begin) + end, isLast: true };
  };
}

/** Yields `first`, which was already read, and then the others. `first` is released when it has been yielded. */
export function startingWith<Part>(first: Part, next: () => Promise<Part>): () => Promise<Part> {
  let waiting: Part | undefined = first;
  return async () => {
    const part = waiting;
    waiting = undefined;
    return part ?? next();
  };
}
