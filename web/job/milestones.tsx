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

/** When a Job or a run was created and deleted, and how long it took. The timeline shows its start and its end. */
export function Milestones({ of }: { readonly of: Life }) {
  const { createdAt, deletedAt, deletedBy } = of;
  const duration = durationOf(of);
  return (
    <>
      <span>
        Created <Moment at={createdAt} /> (<Age at={createdAt} /> ago)
        {duration === undefined ? null : `, took ${spanText(duration)}`}
      </span>
      {deletedAt === undefined ? null : (
        <span>
          Deleted <Moment at={deletedAt} form="time" />
          {deletedBy === undefined ? "" : ` by ${attributionText(deletedBy)}`}
        </span>
      )}
    </>
  );
}

function durationOf({ startedAt, finishedAt }: Life): number | undefined {
  const [from, to] = [millisOf(startedAt), millisOf(finishedAt)];
  return from === undefined || to === undefined ? undefined : to - from;
}
