import { ClusterText } from "../text/cluster-text.tsx";
import { shownText } from "../text/shown-text.ts";
import type { JobWithGenerations } from "./job-with-generations.ts";
import { Section } from "./section.tsx";

/** The spec with the API's field names, and the labels. */
export function SpecPanel({ job: { spec, labels, uid } }: { readonly job: JobWithGenerations }) {
  const { template, ...fields } = spec;
  const entries = [
    ...Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)),
    ["template.spec.restartPolicy", template.spec.restartPolicy],
  ] as const;
  return (
    <Section id="spec" title="Spec and labels">
      <div class="inside two">
        <dl class="facts">
          {entries.map(([name, value]) => [
            <dt key={`${name} name`}>{name}</dt>,
            <dd key={name} class="mono">
              {shownText(typeof value === "string" ? value : JSON.stringify(value))}
            </dd>,
          ])}
          <dt>uid</dt>
          <dd class="mono">{uid}</dd>
        </dl>
        <div>
          <h3>Labels</h3>
          <div class="labels">
            {Object.entries(labels).map(([key, value]) => (
              <span key={key} class="tag mono">
                <ClusterText text={`${key}=${value}`} />
              </span>
            ))}
            {Object.keys(labels).length === 0 ? <span class="quiet">none</span> : null}
          </div>
        </div>
      </div>
    </Section>
  );
}
