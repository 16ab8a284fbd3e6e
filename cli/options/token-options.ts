import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { type Command, Option } from "commander";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { errorMessage } from "../../src/job/text/error-message.ts";

/** The source of the reader's token. Prefer a file or a command: everyone who can list processes sees `--token`. */
export interface TokenOptions {
  readonly token?: string;
  readonly tokenFile?: string;
  readonly tokenCommand?: string;
}

export function addTokenOptions(command: Command): Command {
  return command
    .addOption(new Option("--token <token>", "token for the server").env("OUTLIVE_TOKEN"))
    .addOption(new Option("--token-file <file>", "file with the token").env("OUTLIVE_TOKEN_FILE"))
    .addOption(
      new Option("--token-command <command>", "command that prints the token, for short-lived tokens").env(
        "OUTLIVE_TOKEN_COMMAND",
      ),
    );
}

/** The token. If several sources are set, `--token` takes precedence over the file, and the file over the command. */
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
    throw new CommandFailure(2, `Cannot read token file ${file}: ${reason}. Correct --token-file.`, {
      cause,
    });
  }
}

const COMMAND_MILLIS = 60_000;

function tokenOf(command: string): string {
  try {
    const printed = execFileSync(command, {
      shell: true,
      encoding: "utf8",
      timeout: COMMAND_MILLIS,
      stdio: ["inherit", "pipe", "inherit"],
    });
    return oneToken(printed, "The command of --token-command");
  } catch (cause) {
    if (cause instanceof CommandFailure) throw cause;
    throw new CommandFailure(2, "The command of --token-command failed. Run it alone to see why.", { cause });
  }
}

/** Editors and commands add a line break, which is removed. */
function oneToken(text: string, source: string): string {
  const token = text.trim();
  if (/^\S+$/.test(token)) return token;
  throw new CommandFailure(
    2,
    `${source} ${token === "" ? "is empty" : "has more than one word"}. It must contain the token only.`,
  );
}
