import { Option } from "commander";
import { asArgument } from "../../src/host/command-line/as-argument.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { formatInstant } from "../../src/job/model/instant.ts";
import { instantAt, readGivenTime } from "../../src/query/list/given-time.ts";

/**
 * An option for a time: RFC 3339, or a duration before now. Its value is an RFC 3339 time, so that every request of a
 * command has the same one.
 */
export function timeOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser(asArgument(readTime));
}

/** What help says about such an option. */
export const TIME_FORM = "RFC 3339, or a duration before now such as 2h";

function readTime(text: string): string {
  const now = Date.now();
  const read = readGivenTime(text);
  if ("problem" in read) throw new CommandFailure(2, `The time ${read.problem}.`);
  return formatInstant(instantAt(read.value, now) ?? now);
}
