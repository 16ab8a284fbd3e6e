import type { ComponentChildren } from "preact";
import type { ComparedFieldAnswer, ComparedSubject } from "../../src/explain/compare/comparison-document.ts";
import type { FieldGroup } from "../../src/explain/compare/compared-field.ts";
import { linkToJob, linkToRun } from "../shell/route.ts";
import { StateBadge } from "../state/state-badge.tsx";
import { ClusterText } from "../text/cluster-text.tsx";
import { Moment } from "../text/moment.tsx";
import { shownText } from "../text/shown-text.ts";
import { isJob } from "./compare-requests.ts";

interface SideBySideProps {
  readonly caption: string;
  readonly before: ComparedSubject;
  readonly after: ComparedSubject;
  readonly fields: readonly ComparedFieldAnswer[];
  /** Whether the values of all fields differ. */
  readonly differ?: boolean;
}

const GROUPS: readonly (readonly [FieldGroup, string])[] = [
  ["outcome", "Outcome"],
  ["settings", "Settings"],
  ["placement", "Placement"],
  ["time", "Times"],
];

/** Fields of two runs in two columns. On a phone, the values of a field are below each other: hence the roles. */
export function SideBySide({ caption, before, after, fields, differ = false }: SideBySideProps) {
  const groups = GROUPS.map(([of, title]) => ({ title, rows: fields.filter(({ group }) => group === of) }));
  return (
    <table class="comparison side-by-side" role="table">
      <caption class="only-read">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          <th scope="col" role="columnheader">
            <span class="only-read">Field</span>
          </th>
          <Side label="Before" subject={before} />
          <Side label="After" subject={after} />
        </tr>
      </thead>
      {groups.map(({ title, rows }) =>
        rows.length === 0 ? null : (
          <tbody key={title} role="rowgroup">
            <tr role="row" class="group">
              <th scope="rowgroup" role="rowheader" colSpan={3}>
                {title}
              </th>
            </tr>
            {rows.map((field) => (
              <FieldRow key={`${field.kind} ${field.key ?? ""}`} field={field} differs={differ} />
            ))}
          </tbody>
        ),
      )}
    </table>
  );
}

function Side({ label, subject }: { readonly label: string; readonly subject: ComparedSubject }) {
  const { kind, name, uid, state, createdAt } = subject;
  const href = isJob(subject) ? linkToJob(subject) : linkToRun({ ...subject, kind, name, uid });
  return (
    <th scope="col" role="columnheader">
      <span class="quiet">{label}</span> <StateBadge state={state} />{" "}
      <a href={href}>
        <ClusterText text={name} />
      </a>{" "}
      <span class="quiet">
        created <Moment at={createdAt} />
      </span>
    </th>
  );
}

interface FieldRowProps {
  readonly field: ComparedFieldAnswer;
  readonly differs: boolean;
}

function FieldRow({ field: { title, before, after }, differs }: FieldRowProps) {
  return (
    <tr role="row" class={differs ? "differs" : undefined}>
      <th scope="row" role="rowheader">
        <ClusterText text={title} />
        {differs ? " ≠" : null}
        {differs ? <span class="only-read"> (differs)</span> : null}
      </th>
      <Value label="Before">
        <ValueText side={before} />
      </Value>
      <Value label="After">
        <ValueText side={after} />
      </Value>
    </tr>
  );
}

/** The label is shown where the columns have no headings. */
function Value({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <td role="cell">
      <span class="side-label" aria-hidden="true">
        {label}
      </span>
      <span>{children}</span>
    </td>
  );
}

/** A value that is unknown or absent is written in another style. */
function ValueText({ side: { text, value } }: { readonly side: ComparedFieldAnswer["before"] }) {
  return value === undefined ? <i class="quiet">{text}</i> : <bdi>{shownText(text)}</bdi>;
}
