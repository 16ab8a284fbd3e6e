import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { type Command, Option } from "commander";
import { CommandFailure } from "../../src/command-line/command-failure.ts";
import { errorMessage } from "../../src/text/error-message.ts";

/** Where the token comes from that says who asks. What stands on a command line is read by everybody who lists processes: a file or a command is better. */
export interface TokenOptions {
  readonly token?: string;
  readonly tokenFile?: string;
  readonly tokenCommand?: string;
}

export function addTokenOptions(command: Command): Command {
  return command
    .addOption(new Option("--token <token>", "the server's token").env("OUTLIVE_TOKEN"))
    .addOption(new Option("--token-file <file>", "a file that holds the token").env("OUTLIVE_TOKEN_FILE"))
    .addOption(
      new Option(
        "--token-command <command>",
        "a command that prints the token, for issuers whose tokens are short-lived",
      ).env("OUTLIVE_TOKEN_COMMAND"),
    );
}

/** The token itself: where several ways are given, the token itself comes before a file, and a file before a command. */
export function readToken({ token, tokenFile, tokenCommand }: TokenOptions): string | undefined {
  if (token !== undefined) return token;
  if (tokenFile !== undefined) return tokenIn(tokenFile);
  return tokenCommand === undefined ? undefined : tokenOf(tokenCommand);
}

export function tokenIn(file: string): string {
  try {
    return oneToken(readFileSync(file, "utf8"), `The file ${file}`);
  } catch (cause) {
    if (cause instanceof CommandFailure) throw cause;
    const reason = errorMessage(cause);
    throw new CommandFailure(2, `The token's file ${file} cannot be read (${reason}): correct --token-file.`, {
      cause,
    });
  }
}

const COMMAND_MILLIS = 60_000;

function tokenOf(command: string): string {
  try {
    const said = execFileSync(command, {
      shell: true,
      encoding: "utf8",
      timeout: COMMAND_MILLIS,
      stdio: ["inherit", "pipe", "inherit"],
    });
    return oneToken(said, "The command of --token-command");
  } catch (cause) {
    if (cause instanceof CommandFailure) throw cause;
    throw new CommandFailure(2, "The command of --token-command failed: run it by itself to see why.", { cause });
  }
}

/** Editors and commands end a line that has no end. */
function oneToken(text: string, source: string): string {
  const token = text.trim();
  if (/^\S+$/.test(token)) return token;
  throw new CommandFailure(
    2,
    `${source} ${token === "" ? "holds nothing" : "holds more than one word"}: it is to hold the token alone.`,
  );
}
