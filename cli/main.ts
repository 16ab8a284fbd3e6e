import { type Command, program } from "commander";
import manifest from "../package.json" with { type: "json" };

interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Adds arguments, options and the action; imported only when the command line names the command, so that help starts fast. */
  readonly load: () => Promise<{ readonly define: (command: Command) => void }>;
}

const usageError = 2;

const commands: readonly CommandEntry[] = [];

const words = process.argv.slice(2);
const completing = words[0] === "complete";

program
  .name("outlive")
  .description("Job status that outlives its Pods")
  .version(manifest.version)
  .showSuggestionAfterError()
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : usageError));

for (const { name, summary, load } of commands) {
  const command = program.command(name).description(summary);
  if (completing || words.includes(name)) (await load()).define(command);
}

if (completing) {
  const { default: addCompletion } = await import("@bomb.sh/tab/commander");
  addCompletion(program);
} else {
  program.command("complete").description("print the completion script of a shell: bash, zsh, fish or powershell");
}

await program.parseAsync();
