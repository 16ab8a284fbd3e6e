import * as v from "valibot";

/** Environment variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables are unset or invalid, so the function does not start. The message has one paragraph per variable. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}

/** Reads the variables that `schema` names; an empty variable counts as unset. Throws {@link ConfigurationError}. */
export function readVariables<const Entries extends v.ObjectEntries>(
  environment: Environment,
  schema: v.ObjectSchema<Entries, undefined>,
): v.InferOutput<v.ObjectSchema<Entries, undefined>> {
  const given = Object.fromEntries(
    Object.keys(schema.entries).map((name) => [name, environment[name] === "" ? undefined : environment[name]]),
  );
  const read = v.safeParse(schema, given);
  if (read.success) return read.output;
  throw new ConfigurationError(
    read.issues.map((issue) => `${String(issue.path?.[0]?.key)} ${issue.message}`).join("\n"),
  );
}
