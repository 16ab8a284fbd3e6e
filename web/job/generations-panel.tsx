import type { Generation } from "../../src/query/job/find-job.ts";
import { linkToJob } from "../shell/route.ts";
import { StateBadge } from "../state/state-badge.tsx";
import { STATES } from "../state/states.ts";
import { Moment } from "../text/moment.tsx";
import { plural } from "../text/plural.ts";
import type { JobWithGenerations } from "./job-with-generations.ts";
import { Section } from "./section.tsx";

interface GenerationsPanelProps {
  readonly job: JobWithGenerations;
  readonly generations: readonly Generation[];
}

/** The Jobs that have had this name, newest first. */
export function GenerationsPanel({ job, generations }: GenerationsPanelProps) {
  return (
    <Section id="generations" title="Jobs with this name" remark={plural(generations.length, "Job")}>
      <div class="scroll">
        <table>
          <caption class="only-read">Jobs that have had this name</caption>
          <thead>
            <tr>
              <th scope="col">State</th>
              <th scope="col">Created</th>
              <th scope="col">Finished</th>
              <th scope="col">uid</th>
            </tr>
          </thead>
          <tbody>
            {generations.map((generation) => (
              <GenerationRow key={generation.uid} job={job} generation={generation} />
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

interface GenerationRowProps {
  readonly job: JobWithGenerations;
  readonly generation: Generation;
}

function GenerationRow({ job, generation: { uid, state, createdAt, finishedAt } }: GenerationRowProps) {
  const isThis = uid === job.uid;
  return (
    <tr aria-current={isThis ? "true" : undefined}>
      <td>
        <StateBadge state={STATES.find((known) => known === state) ?? "Unknown"} />
      </td>
      <td>
        <Moment at={createdAt} />
      </td>
      <td>
        <Moment at={finishedAt} />
      </td>
      <td class="mono">{isThis ? `${uid} (this one)` : <a href={linkToJob({ ...job, uid })}>{uid}</a>}</td>
    </tr>
  );
}
