import { useEffect, useRef, useState } from "preact/hooks";
import { CopyButton } from "../controls/copy-button.tsx";
import { Disclosure } from "../controls/disclosure.tsx";
import { Icon } from "../shell/icon.tsx";
import { route, setParameters } from "../shell/location.ts";
import { parseRoute, type View } from "../shell/route.ts";
import { ClusterText } from "../text/cluster-text.tsx";
import { shownText } from "../text/shown-text.ts";
import { deleteView, type SavedView, savedViews, saveView } from "./stored-views.ts";
import { linkOf, MOST_NAME_LENGTH, namedLink, viewName } from "./view-name.ts";

interface SavedViewsProps {
  /** Only saved views of this view are shown. */
  readonly view: View;
  /** Views that every reader has. */
  readonly standard?: readonly SavedView[];
}

/** Common views, the reader's own, and the name of a view that somebody shared. */
export function SavedViews({ view, standard = [] }: SavedViewsProps) {
  const own = savedViews.value.filter(({ link }) => parseRoute(link).view === view);
  return (
    <section class="saved no-print" aria-label="Saved views">
      <SharedView />
      {standard.map(({ name, link }) => (
        <span class="chip" key={name}>
          <ViewLink name={name} link={link} />
        </span>
      ))}
      {own.map((saved) => (
        <SavedViewChip key={saved.name} view={saved} />
      ))}
    </section>
  );
}

/** Stores the view that is shown, or copies a link to it. */
export function SaveView() {
  return (
    <Disclosure label="Save or share…" class="bare">
      {(close) => <SaveViewForm onSaved={close} />}
    </Disclosure>
  );
}

/** The name of a view that was opened by a shared link, until the reader changes the view. */
function SharedView() {
  const name = viewName(route.value);
  if (name === undefined) return null;
  const link = linkOf(route.value);
  const same = savedViews.value.find((saved) => saved.name === name);
  return (
    <p class="shared-view">
      <strong>
        <ClusterText text={name} />
      </strong>
      <span class="quiet">shared view</span>
      {same?.link === link ? null : (
        <button type="button" onClick={() => keep({ name, link })}>
          {same === undefined ? "Save it in this browser" : "Replace your view of this name"}
        </button>
      )}
    </p>
  );
}

function SavedViewChip({ view: { name, link } }: { readonly view: SavedView }) {
  return (
    <span class="chip">
      <ViewLink name={name} link={link} />
      <button type="button" class="bare" aria-label={`Delete view ${shownText(name)}`} onClick={() => deleteView(name)}>
        <Icon name="close" />
      </button>
    </span>
  );
}

function ViewLink({ name, link }: SavedView) {
  return (
    <a href={link} aria-current={link === linkOf(route.value) ? "true" : undefined}>
      <ClusterText text={name} />
    </a>
  );
}

function SaveViewForm({ onSaved }: { readonly onSaved: () => void }) {
  const [name, setName] = useState(viewName(route.value) ?? nameOf(linkOf(route.value)) ?? "");
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const save = (event: Event): void => {
    event.preventDefault();
    const given = viewName({ parameters: { view: name } });
    if (given === undefined) return;
    keep({ name: given, link: linkOf(route.value) });
    onSaved();
  };
  const address = `${location.origin}${location.pathname}${location.search}`;
  return (
    <form class="save-view" onSubmit={save}>
      <label class="field">
        Name of the view
        <input
          value={name}
          maxLength={MOST_NAME_LENGTH}
          onInput={(event) => setName(event.currentTarget.value)}
          ref={input}
        />
      </label>
      <div class="buttons">
        <button type="submit" class="main" disabled={name.trim() === ""}>
          Save
        </button>
        <CopyButton text={`${address}${namedLink(route.value, name)}`} label="Copy link" />
      </div>
      <p class="quiet small">
        A saved view stays in this browser. A link has its filters, columns, order and name. It opens for readers of
        this page.
      </p>
    </form>
  );
}

function keep(view: SavedView): void {
  saveView(view);
  setParameters({ view: "" }, "replace");
}

function nameOf(link: string): string | undefined {
  return savedViews.value.find((saved) => saved.link === link)?.name;
}
