/** The folder of the archive in the bucket of a deployment. The Glue tables name it, too. */
export const ARCHIVE_FOLDER = "archive";

/** The archive of a deployment, for messages. */
export function archiveName({ bucket }: { readonly bucket: string }): string {
  return `s3://${bucket}/${ARCHIVE_FOLDER}`;
}
