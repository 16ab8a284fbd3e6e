import type { IdKey, LineageKind } from "./kinds.ts";

/** What a kind says about one Job or Pod: its entry in the table, with the values of the keys that it names. */
export interface RecognisedKind {
  readonly kind: string;
  readonly resource?: string;
  /** Absent for a run. */
  readonly role?: "series";
  readonly controls?: true;
  readonly alone?: true;
  readonly name?: string;
  readonly uid?: string;
  readonly part?: string;
  readonly attempt?: number;
  readonly ids?: Keys;
  /** The value of the first id of its entry: what a run without an object is called. */
  readonly work?: string;
  readonly within?: string;
  /** Without a name, it is the Job's own. */
  readonly series?: { readonly kind: string; readonly name?: string };
}

type Keys = Readonly<Record<string, string>>;

/** What those of the kinds say to which something with these keys belongs. */
export function recognise(kinds: readonly LineageKind[], keys: Keys): readonly RecognisedKind[] {
  return matching(kinds, keys).map((kind) => recognised(kind, keys));
}

/** The kinds to which something with these keys belongs. */
export function matching(kinds: readonly LineageKind[], keys: Keys): readonly LineageKind[] {
  return kinds.filter(({ when, is }) => {
    const [first] = when;
    return when.every((key) => Object.hasOwn(keys, key)) && (is === undefined || keys[first] === is);
  });
}

/** A key that users add may have the name of a method, such as `constructor`. */
function valueIn(keys: Keys, key: string): string | undefined {
  return Object.hasOwn(keys, key) ? keys[key] : undefined;
}

function recognised(of: LineageKind, keys: Keys): RecognisedKind {
  const { kind, resource, role, controls, alone, series, part } = of;
  const value = (key: string | undefined): string | undefined => (key === undefined ? undefined : valueIn(keys, key));
  return defined({
    kind,
    resource,
    role: role === "series" ? role : undefined,
    controls,
    alone,
    name: value(of.name),
    uid: value(of.uid),
    part: part !== undefined && "word" in part ? part.word : value(part?.key),
    attempt: attemptIn(value(of.attempt)),
    ids: idsIn(of.ids, keys),
    work: workIn(of.ids, keys),
    within: value(of.within),
    series: series === undefined ? undefined : seriesIn(series, keys),
  });
}

/** Only the fields that have a value: the answers and the mark have no others. */
function defined<Of extends object>(fields: { readonly [Field in keyof Of]: Of[Field] | undefined }): Of {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Of;
}

function attemptIn(text: string | undefined): number | undefined {
  return text !== undefined && /^[0-9]{1,9}$/.test(text) ? Number(text) : undefined;
}

function seriesIn({ kind, name }: NonNullable<LineageKind["series"]>, keys: Keys): RecognisedKind["series"] {
  if (name === "job") return { kind };
  const value = valueIn(keys, name.key);
  return value === undefined ? undefined : { kind, name: value };
}

function idsIn(ids: LineageKind["ids"], keys: Keys): Keys | undefined {
  const found = Object.entries(ids ?? {}).flatMap(([id, key]) => {
    const value = idIn(key, keys);
    return value === undefined ? [] : [[id, value] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

function workIn(ids: LineageKind["ids"], keys: Keys): string | undefined {
  const [first] = Object.values(ids ?? {});
  return first === undefined ? undefined : idIn(first, keys);
}

function idIn(id: IdKey, keys: Keys): string | undefined {
  if (typeof id === "string") return valueIn(keys, id);
  const [part] = valueIn(keys, id.key)?.split(id.before) ?? [];
  return part;
}
