/**
 * The YAML library, to be imported on demand: it would double the start-up time of every command. It is CommonJS. When
 * bundled, such a package has its names only after a static import, as here.
 */
export { parseDocument, stringify } from "yaml";
