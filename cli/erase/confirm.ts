import { createInterface } from "node:readline/promises";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { terminalText } from "../../src/job/text/terminal-text.ts";

/** What a person reads before, and the name to type. */
export interface Confirmation {
  readonly warning: string;
  readonly name: string;
}

/** Asks the operator to type a name. Throws CommandFailure if the text differs, or if there is no terminal. */
export async function confirmByName(
  { warning, name }: Confirmation,
  { input, output }: { readonly input: NodeJS.ReadStream; readonly output: NodeJS.WriteStream },
): Promise<void> {
  if (!input.isTTY) {
    throw new CommandFailure(2, `${warning} Nothing was erased: confirm with --yes where there is no terminal.`);
  }
  const lines = createInterface({ input, output });
  try {
    const typed = await lines.question(`${terminalText(warning)}\nType ${terminalText(name)} to erase it for ever: `);
    if (typed.trim() !== name) {
      throw new CommandFailure(1, `Nothing was erased: you typed another name than ${name}. Run the command again.`);
    }
  } finally {
    lines.close();
  }
}
