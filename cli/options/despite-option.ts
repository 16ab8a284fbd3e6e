import { Option } from "commander";
import { asArgument } from "../../src/host/command-line/as-argument.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";

/** Continues although a check failed. The reason is recorded with the projection that answers. */
export function despiteOption(description: string): Option {
  return new Option("--despite <reason>", description).argParser(asArgument(readReason));
}

function readReason(text: string): string {
  if (text.trim() === "") throw new CommandFailure(2, 'Write the reason: --despite "REASON". It is recorded.');
  return text;
}
