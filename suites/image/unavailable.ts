/** Error for an image that did not start a server to test. The message is for the user. */
export class ImageUnavailable extends Error {
  override readonly name = 'ImageUnavailable';
}
