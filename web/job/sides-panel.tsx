import { Moment } from "../text/moment.tsx";
import { plural } from "../text/plural.ts";
import { shownText } from "../text/shown-text.ts";
import type { OneJob } from "./one-job.ts";
import { Section } from "./section.tsx";
import { compareSides, type SideLine } from "./sides.ts";

/** Reported, observed and status side by side. Where they differ, that is what Outlive is for. */
export function SidesPanel({ job }: { readonly job: OneJob }) {
  const lines = compareSides(job);
  const different = lines.filter(({ differs }) => differs).length;
  return (
    <Section
      id="sides"
      title="Three sides"
      remark={different === 0 ? "They agree." : `They differ in ${plural(different, "line")}.`}
    >
      <div class="scroll">
        <table class="sides">
          <caption class="only-read">
            What Kubernetes reported, what was observed of the Pods, and the status that follows
          </caption>
          <thead>
            <tr>
              <th scope="col">
                <span class="only-read">Field</span>
              </th>
              <th scope="col">
                Reported{" "}
                <span class="quiet hide-s">by Kubernetes{job.reported === undefined ? ": never seen" : ""}</span>
              </th>
              <th scope="col">
                Observed <span class="quiet hide-s">of {plural(job.pods.seen, "Pod")}</span>
              </th>
              <th scope="col">
                Status <span class="quiet hide-s">by upstream's rules over all facts</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <SideRow key={line.what} line={line} />
            ))}
          </tbody>
        </table>
      </div>
      {job.reported === undefined ? null : (
        <p class="inside quiet small">
          Kubernetes last said so at <Moment at={job.reported.observedAt} />, resourceVersion{" "}
          {job.reported.resourceVersion}.
        </p>
      )}
    </Section>
  );
}

function SideRow({ line: { what, reported, observed, status, differs } }: { readonly line: SideLine }) {
  return (
    <tr class={differs ? "differs" : undefined}>
      <th scope="row">
        {what}
        {differs ? " ≠" : null}
        {differs ? <span class="only-read"> (differs)</span> : null}
      </th>
      <Said text={reported} what={what} />
      <Said text={observed} what={what} />
      <Said text={status} what={what} />
    </tr>
  );
}

function Said({ text, what }: { readonly text: string | undefined; readonly what: string }) {
  if (text === undefined) return <td class="quiet">–</td>;
  return <td>{what.endsWith("Time") ? <Moment at={text} /> : shownText(text)}</td>;
}
