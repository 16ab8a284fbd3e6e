import { readFile } from "node:fs/promises";
import { type Command, Option } from "commander";
import type { AddedKinds } from "../../parents/kinds.ts";
import type { TextOptions } from "../../kubernetes/translate/translated.ts";
import { CommandFailure } from "./command-failure.ts";

/** Text that stays in the cluster unless these flags are given (docs/facts.md). */
export interface TextFlags {
  readonly includeMessages?: boolean | undefined;
  readonly includeNames?: boolean | undefined;
  /** The file of added kinds. */
  readonly kinds?: string | undefined;
}

export function addTextOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--include-messages",
        "keep the text of Events, conditions and waiting containers; it may contain program output and secrets",
      ).env("OUTLIVE_INCLUDE_MESSAGES"),
    )
    .addOption(
      new Option("--include-names", "keep the names of missing ConfigMaps, Secrets, ServiceAccounts and claims").env(
        "OUTLIVE_INCLUDE_NAMES",
      ),
    )
    .addOption(
      new Option("--kinds <file>", "recognise what Jobs belong to by the kinds of this file too (YAML or JSON)").env(
        "OUTLIVE_KINDS",
      ),
    );
}

/** Reads the file of added kinds, if one is named. Throws CommandFailure with every problem of it. */
export async function textOptionsOf({
  includeMessages,
  includeNames,
  kinds: file,
}: TextFlags): Promise<Omit<TextOptions, "containerMessages">> {
  const kinds = file === undefined ? undefined : await kindsIn(file);
  return { messages: includeMessages === true, names: includeNames === true, kinds };
}

async function kindsIn(file: string): Promise<AddedKinds> {
  const { readKindFile } = await import("../../kubernetes/runs/kind-file.ts");
  const read = readKindFile(await textOf(file));
  if (read.outcome === "read") return read.content;
  const problems = read.problems.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  throw new CommandFailure(2, `The kinds in ${file} are invalid:\n${problems.join("\n")}`);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    if (!(cause instanceof Error) || !("code" in cause)) throw cause;
    throw new CommandFailure(2, `Cannot read ${file}: ${cause.message}. Check --kinds.`, { cause });
  }
}
