import * as v from "valibot";

/** Environment variables, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables are missing or wrong: a deployment's fault, so the function does not start. The message has a sentence for each of them. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}

/** Reads the variables that `entries` names; a variable that is set to nothing is not set. Throws {@link ConfigurationError}. */
export function readVariables<const Entries extends v.ObjectEntries>(
  environment: Environment,
  entries: Entries,
): v.InferOutput<v.ObjectSchema<Entries, undefined>> {
  const given = Object.fromEntries(
    Object.keys(entries).map((name) => [name, environment[name] === "" ? undefined : environment[name]]),
  );
  const read = v.safeParse(v.object(entries), given);
  if (read.success) return read.output;
  throw new ConfigurationError(
    read.issues.map((issue) => `${String(issue.path?.[0]?.key)} ${issue.message}`).join("\n"),
  );
}
