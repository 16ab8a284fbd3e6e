import * as v from "valibot";

/** One environment variable. A message of its schema continues the sentence that begins with its name. */
export interface Variable<Name extends string = string, Schema extends VariableSchema = VariableSchema> {
  readonly variable: Name;
  readonly schema: Schema;
}
type VariableSchema = v.GenericSchema<string | undefined, unknown>;

/** A setting that follows from several. */
export interface Derived<Parts extends Descriptor = Descriptor, Value = unknown> {
  readonly parts: Parts;
  readonly derive: (parts: never) => Value;
}

/** The settings of a function by name. The stack sets their variables, and the function reads them. */
export interface Descriptor {
  readonly [setting: string]: Node;
}
type Node = Variable | Derived | Descriptor;

/** What a function reads. */
export type Settings<Part> =
  Part extends Variable<string, infer Schema>
    ? v.InferOutput<Schema>
    : Part extends Derived<Descriptor, infer Value>
      ? Value
      : { readonly [Name in keyof Part]: Settings<Part[Name]> };

type VariableIn<Part> = Part extends Variable
  ? Part
  : Part extends Derived<infer Parts>
    ? VariableIn<Parts>
    : { [Name in keyof Part]: VariableIn<Part[Name]> }[keyof Part];
type NameOf<Each> =
  Each extends Variable<infer Name, infer Schema>
    ? undefined extends v.InferInput<Schema>
      ? { readonly optional: Name }
      : { readonly required: Name }
    : never;

/** The variables of a descriptor: those without a default are required. */
export type VariablesOf<Part, Names = NameOf<VariableIn<Part>>> = Readonly<
  Record<Extract<Names, { readonly required: string }>["required"], string>
> &
  Readonly<Partial<Record<Extract<Names, { readonly optional: string }>["optional"], string>>>;

export function variable<const Name extends string, Schema extends VariableSchema>(
  name: Name,
  schema: Schema,
): Variable<Name, Schema> {
  return { variable: name, schema };
}

/** `derive` throws {@link ConfigurationError} where the parts contradict each other. */
export function derived<Parts extends Descriptor, Value>(
  parts: Parts,
  derive: (parts: Settings<Parts>) => Value,
): Derived<Parts, Value> {
  return { parts, derive };
}

/** Environment variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables are unset or invalid, so the function does not start. The message has one paragraph per variable. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}

/** Reads the variables of a descriptor; an empty variable counts as unset. Throws {@link ConfigurationError}. */
export function readSettings<Parts extends Descriptor>(descriptor: Parts, environment: Environment): Settings<Parts> {
  const schemas = Object.fromEntries(variablesIn(descriptor).map(({ variable: name, schema }) => [name, schema]));
  const given = Object.keys(schemas).map((name) => [name, environment[name] === "" ? undefined : environment[name]]);
  const read = v.safeParse(v.object(schemas), Object.fromEntries(given));
  if (!read.success) {
    throw new ConfigurationError(
      read.issues.map((issue) => `${String(issue.path?.[0]?.key)} ${issue.message}`).join("\n"),
    );
  }
  // The schema of each variable has read its value.
  return settingsIn(descriptor, read.output) as Settings<Parts>;
}

function settingsIn(part: Node, values: Readonly<Record<string, unknown>>): unknown {
  if (isVariable(part)) return values[part.variable];
  if (isDerived(part)) return part.derive(settingsIn(part.parts, values) as never);
  return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, settingsIn(each, values)]));
}

export function variablesIn(part: Node): readonly Variable[] {
  if (isVariable(part)) return [part];
  return Object.values(isDerived(part) ? part.parts : part).flatMap(variablesIn);
}

function isVariable(part: Node): part is Variable {
  return "variable" in part && typeof part.variable === "string";
}

function isDerived(part: Node): part is Derived {
  return "derive" in part && typeof part.derive === "function";
}
