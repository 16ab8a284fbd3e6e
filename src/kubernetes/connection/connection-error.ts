/** The server did not respond, or the response was truncated. The message says what to check. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
}

/** No usable kubeconfig was found, or it lacks a required field. */
export class KubeconfigError extends Error {
  override readonly name = "KubeconfigError";
}

/** The cluster differs from the one whose capture was to be continued. */
export class OtherClusterError extends Error {
  override readonly name = "OtherClusterError";
}
