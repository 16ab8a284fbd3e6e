import { PlaceLinks } from "../shell/place-links.tsx";
import { ClusterText } from "../text/cluster-text.tsx";
import { Age } from "../text/moment.tsx";
import { number, plural } from "../text/plural.ts";
import { shownText } from "../text/shown-text.ts";
import type { AttentionEntry } from "../../src/query/attention/attention.ts";
import { titleOfKind } from "../../src/explain/attention/leading-finding.ts";
import { type EntryLinks, entryLinks } from "./entry-links.ts";

/** What an entry is about, the message of its newest Job, where, and since when. */
export function EntryText({ entry, isNew }: { readonly entry: AttentionEntry; readonly isNew: boolean }) {
  const links = entryLinks(entry);
  const { cluster, namespace, teams } = entry;
  return (
    <>
      <div class="entry-what">
        <p class="entry-head" id={`entry-${entry.id}`}>
          {isNew ? <span class="tag new">New</span> : null}
          <Subject links={links} />
          <span class="tag warn">{shownText(entry.title)}</span>
          <OtherKinds entry={entry} />
        </p>
        <p class="breaks">{shownText(entry.message)}</p>
      </div>
      <p class="entry-where">
        <span>
          <PlaceLinks view="attention" cluster={cluster} namespace={namespace} />
        </span>
        {teams.length === 0 ? null : (
          <span class="quiet">
            {teams.length === 1 ? "Team" : "Teams"} {teams.map(shownText).join(", ")}
          </span>
        )}
      </p>
      <p class="entry-when">
        <EntryTimes entry={entry} />
        <JobLinks entry={entry} links={links} />
      </p>
    </>
  );
}

function Subject({ links: { kind, name, subject } }: { readonly links: EntryLinks }) {
  return (
    <span>
      <span class="quiet">{shownText(kind)}</span>{" "}
      {subject === undefined ? (
        <b>
          <ClusterText text={name} />
        </b>
      ) : (
        <a class="entry-name" href={subject}>
          <ClusterText text={name} />
        </a>
      )}
    </span>
  );
}

function OtherKinds({ entry: { otherKinds } }: { readonly entry: AttentionEntry }) {
  return Object.entries(otherKinds).map(([kind, times]) => (
    <span key={kind} class="tag">
      {shownText(titleOfKind(kind))}
      {times === 1 ? null : ` ${number(times)}`}
    </span>
  ));
}

function EntryTimes({ entry: { firstAt, latestAt } }: { readonly entry: AttentionEntry }) {
  return (
    <span>
      <Age at={latestAt} /> ago
      {firstAt === latestAt ? null : (
        <span class="quiet">
          , first <Age at={firstAt} /> ago
        </span>
      )}
    </span>
  );
}

/** Links to the newest Job, and to all of them. */
function JobLinks({ entry: { jobs }, links }: { readonly entry: AttentionEntry; readonly links: EntryLinks }) {
  if (links.newestJob === undefined || links.newestJob === links.subject) return null;
  return (
    <span>
      <a href={links.newestJob}>{jobs > 1 ? "Newest Job" : "Open the Job"}</a>
      {links.jobs === undefined ? null : (
        <>
          {" of "}
          <a href={links.jobs}>{plural(jobs, "Job")}</a>
        </>
      )}
    </span>
  );
}
