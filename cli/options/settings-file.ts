import { readFile } from "node:fs/promises";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { count } from "../../src/job/text/sentence.ts";
import { remark } from "../output/print-answer.ts";

/** A problem of a file, and the path of the field that has it; "" for the file as a whole. */
interface FileProblem {
  readonly path: string;
  readonly message: string;
}

/** Reads a file that an option or an argument names. Throws CommandFailure that ends with `advice`. */
export async function textOfFile(file: string, advice: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    if (!(cause instanceof Error) || !("code" in cause)) throw cause;
    throw new CommandFailure(2, `Cannot read ${file}: ${cause.message}. ${advice}`, { cause });
  }
}

/** Prints every problem of a file, and returns the failure of the command. */
export function invalidFile(file: string, problems: readonly FileProblem[]): CommandFailure {
  for (const { path, message } of problems) remark(path === "" ? message : `${path}: ${message}`);
  return new CommandFailure(2, `${file} is invalid: correct the ${count(problems.length, "problem")} above.`);
}
