/** The image cannot be built: a download, a checksum or a program that is missing. The message says what to do. */
export class ImageBuildError extends Error {
  override readonly name = "ImageBuildError";
}
