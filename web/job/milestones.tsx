import type { Attribution } from "../../src/explain/answer-document.ts";
import { millisOf } from "../text/instant-text.ts";
import { Age, Moment } from "../text/moment.tsx";
import { spanText } from "../text/span-text.ts";
import { attributionText } from "./attribution-text.ts";

/** The times of a Job or a run, as far as they are known. */
interface Life {
  readonly createdAt?: string | undefined;
  readonly startedAt?: string | undefined;
  readonly finishedAt?: string | undefined;
  readonly deletedAt?: string | undefined;
  readonly deletedBy?: Attribution | undefined;
}

/** When a Job or a run was created, started, finished and deleted. */
export function Milestones({ of }: { readonly of: Life }) {
  const { createdAt, startedAt, finishedAt, deletedAt, deletedBy } = of;
  return (
    <>
      <span>
        Created <Moment at={createdAt} /> (<Age at={createdAt} /> ago)
      </span>
      {startedAt === undefined ? null : (
        <span>
          Started <Moment at={startedAt} form="time" />
        </span>
      )}
      {finishedAt === undefined ? null : (
        <span>
          Finished <Moment at={finishedAt} form="time" />, after {durationText(of)}
        </span>
      )}
      {deletedAt === undefined ? null : (
        <span>
          Deleted <Moment at={deletedAt} form="time" />
          {deletedBy === undefined ? "" : ` by ${attributionText(deletedBy)}`}
        </span>
      )}
    </>
  );
}

function durationText({ startedAt, finishedAt }: Life): string {
  const [from, to] = [millisOf(startedAt), millisOf(finishedAt)];
  return from === undefined || to === undefined ? "an unknown time" : spanText(to - from);
}
