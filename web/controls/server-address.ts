/** The address of this page's server, for the command line. */
export function serverAddress(): string {
  return `${location.origin}${location.pathname}`.replace(/\/$/, "");
}
