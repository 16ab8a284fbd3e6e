import { useState } from "preact/hooks";
import type { UsageReport, UsageReportGroup } from "../../src/query/usage/usage-report.ts";
import type { ApiResult } from "../api/api-result.ts";
import { UsageGroups } from "./usage-groups.tsx";

interface OnRequestProps {
  readonly title: string;
  readonly load: (signal: AbortSignal) => Promise<ApiResult<UsageReport>>;
}

/** The first groups of a report that reads many Jobs. It is loaded once, when a person asks for it. */
const SHOWN = 10;

export function GroupsOnRequest({ title, load }: OnRequestProps) {
  const [groups, setGroups] = useState<readonly UsageReportGroup[] | "not started" | "loading" | "failed">(
    "not started",
  );
  const ask = async (): Promise<void> => {
    setGroups("loading");
    const { signal } = new AbortController();
    const result = await load(signal);
    if (result.outcome !== "answered") return setGroups("failed");
    setGroups((result.answer.groups ?? []).filter(({ key }) => key !== "").slice(0, SHOWN));
  };
  if (groups === "loading") return <p class="quiet waiting">Reading the Jobs…</p>;
  if (groups === "not started" || groups === "failed") {
    return (
      <p>
        <button type="button" onClick={() => void ask()}>
          {groups === "failed" ? `${title}: no answer; retry` : title}
        </button>
      </p>
    );
  }
  return groups.length === 0 ? <p class="quiet">{title}: none.</p> : <UsageGroups title={title} groups={groups} />;
}
