import { Command } from "../controls/command.tsx";
import { jobCommands } from "./job-commands.ts";
import type { JobWithGenerations } from "./job-with-generations.ts";
import { Section } from "./section.tsx";

/** The equivalent commands, to copy. */
export function CommandsPanel({ job }: { readonly job: JobWithGenerations }) {
  const server = `${location.origin}${location.pathname}`.replace(/\/$/, "");
  return (
    <Section id="commands" title="Commands">
      <div class="inside commands">
        {jobCommands(job, server).map((command) => (
          <Command key={command} command={command} />
        ))}
      </div>
    </Section>
  );
}
