import { Moment } from "../text/moment.tsx";
import { plural } from "../text/plural.ts";
import { shownText } from "../text/shown-text.ts";
import { compareStatus, type StatusLine } from "./compare-status.ts";
import type { JobWithGenerations } from "./job-with-generations.ts";
import { Section } from "./section.tsx";

/** The reported, observed and derived status side by side, with the differences marked. */
export function StatusPanel({ job }: { readonly job: JobWithGenerations }) {
  const lines = compareStatus(job);
  const different = lines.filter(({ differs }) => differs).length;
  const remark = different === 0 ? "No differences." : `${plural(different, "difference")}.`;
  return (
    <Section id="status" title="Reported, observed, derived" remark={`${remark} ${basisText(job)}`}>
      <div class="scroll">
        <table class="comparison">
          <caption class="only-read">Status reported by Kubernetes, observed from Pods, and derived</caption>
          <StatusHead job={job} />
          <tbody>
            {lines.map((line) => (
              <StatusRow key={line.field} line={line} />
            ))}
          </tbody>
        </table>
      </div>
      {job.reported === undefined ? null : (
        <p class="inside quiet small">
          Last reported at <Moment at={job.reported.observedAt} />
          {job.asOf.bound === undefined ? "" : " or later"}, resourceVersion {job.reported.resourceVersion}.
        </p>
      )}
    </Section>
  );
}

function StatusHead({ job: { reported, pods } }: { readonly job: JobWithGenerations }) {
  return (
    <thead>
      <tr>
        <th scope="col">
          <span class="only-read">Field</span>
        </th>
        <th scope="col">
          Reported <span class="quiet hide-s">by Kubernetes{reported === undefined ? ": never observed" : ""}</span>
        </th>
        <th scope="col">
          Observed <span class="quiet hide-s">from {plural(pods.seen, "Pod")}</span>
        </th>
        <th scope="col">
          Derived <span class="quiet hide-s">by upstream's rules from all facts</span>
        </th>
      </tr>
    </thead>
  );
}

function StatusRow({ line: { field, reported, observed, derived, differs } }: { readonly line: StatusLine }) {
  return (
    <tr class={differs ? "differs" : undefined}>
      <th scope="row">
        {field}
        {differs ? " ≠" : null}
        {differs ? <span class="only-read"> (differs)</span> : null}
      </th>
      <Value text={reported} field={field} />
      <Value text={observed} field={field} />
      <Value text={derived} field={field} />
    </tr>
  );
}

function Value({ text, field }: { readonly text: string | undefined; readonly field: string }) {
  if (text === undefined) return <td class="quiet">–</td>;
  return <td>{field.endsWith("Time") ? <Moment at={text} /> : shownText(text)}</td>;
}

function basisText(job: JobWithGenerations): string {
  const final = job.verdict.final ? "Final" : "Not final";
  const tracking = trackingText(job);
  switch (job.verdict.basis) {
    case "both":
      return `${final}: Kubernetes reports the same state${tracking}.`;
    case "reported":
      return `${final}: reported by Kubernetes${tracking}.`;
    case "observed":
      return `${final}: derived from the facts; Kubernetes has not reported it${tracking}.`;
  }
}

function trackingText({ tracking }: JobWithGenerations): string {
  switch (tracking) {
    case "tracked":
      return "; it counts the Pods by finalizer";
    case "untracked":
      return "; it counts the Pods that exist";
    case "unknown":
      return "";
  }
}
