import type { Generation } from "../../src/query/job/find-job.ts";
import { linkToJob } from "../shell/place.ts";
import { StateBadge } from "../state/state-badge.tsx";
import { STATES } from "../state/states.ts";
import { Moment } from "../text/moment.tsx";
import { plural } from "../text/plural.ts";
import type { OneJob } from "./one-job.ts";
import { Section } from "./section.tsx";

/** The Jobs that have had this name, newest first. */
export function GenerationsPanel({
  job,
  generations,
}: {
  readonly job: OneJob;
  readonly generations: readonly Generation[];
}) {
  return (
    <Section id="generations" title="Generations of the name" remark={plural(generations.length, "Job")}>
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
            {generations.map(({ uid, state, createdAt, finishedAt }) => (
              <tr key={uid} aria-current={uid === job.uid ? "true" : undefined}>
                <td>
                  <StateBadge state={STATES.find((known) => known === state) ?? "Unknown"} />
                </td>
                <td>
                  <Moment at={createdAt} />
                </td>
                <td>
                  <Moment at={finishedAt} />
                </td>
                <td class="mono">
                  {uid === job.uid ? `${uid} (this one)` : <a href={linkToJob({ ...job, uid })}>{uid}</a>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
