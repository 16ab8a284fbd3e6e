/** The folder of the archive in the bucket of a deployment. The Glue tables name it, too. */
export const ARCHIVE_FOLDER = "archive";
