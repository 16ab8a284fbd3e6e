import { useState } from "preact/hooks";
import { Icon } from "../shell/icon.tsx";
import { route } from "../shell/location.ts";
import { formatRoute, linkTo } from "../shell/route.ts";
import { deleteView, type SavedView, savedViews, saveView } from "./saved-views.ts";

/** Common views, and the reader's own. */
export function SavedViewsBar() {
  return (
    <section class="saved no-print" aria-label="Saved views">
      {STANDARD_VIEWS.map((view) => (
        <span class="chip" key={view.name}>
          <a href={view.link}>{view.name}</a>
        </span>
      ))}
      {savedViews.value.map((view) => (
        <SavedViewChip key={view.name} view={view} />
      ))}
      <SaveViewForm />
    </section>
  );
}

function SavedViewChip({ view: { name, link } }: { readonly view: SavedView }) {
  return (
    <span class="chip">
      <a href={link}>{name}</a>
      <button type="button" class="bare" aria-label={`Delete view ${name}`} onClick={() => deleteView(name)}>
        <Icon name="close" />
      </button>
    </span>
  );
}

function SaveViewForm() {
  const [name, setName] = useState<string | undefined>(undefined);
  const save = (event: Event): void => {
    event.preventDefault();
    if (name?.trim()) saveView({ name: name.trim(), link: formatRoute(route.value) });
    setName(undefined);
  };
  if (name === undefined) {
    return (
      <button type="button" class="bare" onClick={() => setName("")}>
        Save this view…
      </button>
    );
  }
  return (
    <form onSubmit={save}>
      <label>
        <span class="only-read">Name of the view</span>
        <input value={name} placeholder="Name" maxLength={60} onInput={(event) => setName(event.currentTarget.value)} />
      </label>{" "}
      <button type="submit">Save</button>
    </form>
  );
}

const STANDARD_VIEWS = [
  { name: "All Jobs", link: linkTo("jobs") },
  { name: "Failed in 24 h", link: linkTo("jobs", [], { state: "Failed", created: "24h" }) },
  { name: "Running", link: linkTo("jobs", [], { state: "Running,Pending" }) },
];
