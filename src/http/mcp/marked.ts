import * as v from "valibot";
import { maybe } from "../../explain/answer-parts.ts";
import { shortText } from "../../job/text/short-text.ts";

/**
 * A name or a word: it has no spaces, so that it cannot be a sentence. Names of Kubernetes objects, uids, versions and
 * reasons of controllers are plain; run ids of other systems too (`scheduled__2026-11-21T00:00:00+00:00`).
 */
const PLAIN = /^[\w.:+/@=-]{1,320}$/;

/** The text if it is a name or a word; `undefined` for any other text from a cluster. */
export function plain(text: string | undefined): string | undefined {
  return text !== undefined && PLAIN.test(text) ? text : undefined;
}

type Text = string | readonly string[] | Readonly<Record<string, string>>;
type Texts = Readonly<Record<string, Text | undefined>>;
type Words = Readonly<Record<string, string | undefined>>;
/** Text from a cluster that is not a name. */
type Untrusted = Readonly<Record<string, Text>>;

/**
 * The entry of every object that may have text from a cluster: a text, or texts, lists and records by name. Its schema
 * is not more precise, because a list of tools repeats it some hundred times.
 */
export const untrusted = { untrusted: maybe(v.unknown()) };

export type Marked<Name extends string> = { readonly [name in Name]?: string } & { readonly untrusted?: Untrusted };

/** A text alone, below the mark. */
export function markedText(text: string): { readonly untrusted: string } {
  return { untrusted: shortText(text) };
}

/** Words where they are plain. All other text from a cluster is shortened, below the mark `untrusted`. */
export function marked<W extends Words>(words: W, texts: Texts = {}): Marked<keyof W & string> {
  const named = Object.entries(words).filter(([, text]) => plain(text) !== undefined);
  const others = Object.entries<Text | undefined>({
    ...Object.fromEntries(Object.entries(words).filter(([, text]) => plain(text) === undefined)),
    ...texts,
  }).flatMap(([name, text]) => (text === undefined || isEmpty(text) ? [] : [[name, shortened(text)] as const]));
  return {
    ...Object.fromEntries(named),
    ...(others.length > 0 && { untrusted: Object.fromEntries(others) }),
  } as Marked<keyof W & string>;
}

function isEmpty(text: Text): boolean {
  return typeof text === "string" ? text === "" : Object.keys(text).length === 0;
}

function shortened(text: Text): Text {
  if (typeof text === "string") return shortText(text);
  if (isList(text)) return text.map((one) => shortText(one));
  return Object.fromEntries(Object.entries(text).map(([key, value]) => [shortText(key), shortText(value)]));
}

function isList(text: Exclude<Text, string>): text is readonly string[] {
  return Array.isArray(text);
}
