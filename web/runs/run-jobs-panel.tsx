import { useMemo } from "preact/hooks";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import type { RunAnswer } from "../../src/explain/run/run-document.ts";
import type { Live } from "../api/live.ts";
import type { ReadPages } from "../api/read-pages.ts";
import { FirstRowsNote } from "../job/first-rows-note.tsx";
import { JOB_COLUMNS } from "../jobs/job-columns.tsx";
import { jobListRow } from "../jobs/job-list-row.ts";
import { openJob } from "../jobs/open-job.ts";
import { Panel } from "../shell/panel.tsx";
import { WithLive } from "../shell/with-live.tsx";
import { useSorting } from "../table/use-sorting.ts";
import { VirtualTable } from "../table/virtual-table.tsx";
import { plural } from "../text/plural.ts";

interface RunJobsPanelProps {
  readonly run: RunAnswer;
  readonly jobs: Live<ReadPages<JobAnswer>>;
}

/** The Jobs of all attempts, oldest first. */
export function RunJobsPanel({ run, jobs }: RunJobsPanelProps) {
  return (
    <Panel id="jobs" title="Jobs of all attempts" remark={plural(run.jobs.total, "Job")} long>
      <WithLive live={jobs} what="the Jobs">
        {({ items, more }) => (
          <>
            {items.length === 0 ? (
              <p class="inside quiet">No Job of this run was observed.</p>
            ) : (
              <RunJobsTable jobs={items} isComplete={!more} />
            )}
            {more ? <FirstRowsNote shown={items.length} command="jobs --run" /> : null}
          </>
        )}
      </WithLive>
    </Panel>
  );
}

interface RunJobsTableProps {
  readonly jobs: readonly JobAnswer[];
  readonly isComplete: boolean;
}

function RunJobsTable({ jobs, isComplete }: RunJobsTableProps) {
  const listed = useMemo(() => jobs.map(jobListRow), [jobs]);
  const { rows, sorting } = useSorting({ rows: listed, columns: JOB_COLUMNS, parameter: "sortJobs", isComplete });
  return (
    <VirtualTable
      label="Jobs"
      rows={rows}
      columns={JOB_COLUMNS}
      keyOf={({ uid }) => uid}
      onOpen={openJob}
      height="tall"
      sorting={sorting}
    />
  );
}
